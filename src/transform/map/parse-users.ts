import { isUtf8 } from 'node:buffer'
import type { CsvError } from 'csv-parse/sync'
import { aText, checkArguments, is } from '../../base/check-arguments.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { Renaming } from './identity-map.ts'

/** The lines of a file that says who is who, as renamings of logins and repositories. */
export interface UserLines {
  /** Renamings of logins. */
  logins: Renaming[]
  /** Renamings of repositories. */
  repositories: Renaming[]
}

/** The names of the columns of a file, as three programs write it. */
const FORMS = [
  { old: 'old', new: 'new', others: ['name', 'email', 'records'] },
  { old: 'mannequin-user', new: 'target-user', others: ['mannequin-id'] },
  { old: 'source_url', new: 'target_url', others: ['model_name', 'recommended_action'] },
] as const

const someData = is('a Uint8Array', (value) => value instanceof Uint8Array)

const LINE_FEED = 0x0a

const ACTIONS = ['map', 'rename', 'merge', 'skip']

/**
 * Parses CSV with a header: `old,new` with columns for people to read, `mannequin-user,mannequin-id,target-user`, or
 * `model_name,source_url,target_url,recommended_action`. A name is a login or a URL. Lines without a new name are left out, and
 * those with the action `skip` keep the old name.
 *
 * @param bytes the file, in UTF-8 with or without a byte order mark
 * @param file its name, for places
 * @returns who and what gets which name
 * @throws `map-invalid` with the line, or `option-invalid`
 * @example
 * const { logins, repositories } = await parseUsers(readFileSync('users.csv'), 'users.csv')
 */
export async function parseUsers(bytes: Uint8Array, file: string): Promise<UserLines> {
  checkArguments({ bytes, file }, { bytes: someData, file: aText })
  checkText(bytes, file)
  // Loaded for this alone.
  const { parse } = await import('csv-parse/sync')
  const found: UserLines = { logins: [], repositories: [] }
  let add: AddLine | undefined
  // Each line is read as it comes: there may be hundreds of thousands.
  const onRecord = (line: string[]) => {
    if (add) add(line)
    else add = addTo(found, line, file)
    return null
  }
  try {
    parse(bytes, { bom: true, skip_empty_lines: true, trim: true, on_record: onRecord })
  } catch (error) {
    throw explain(error, bytes, file)
  }
  if (!add) checkHeader([], file)
  return found
}

type AddLine = (line: readonly string[]) => void

/** Adds lines below a header to what was found. */
function addTo(found: UserLines, header: readonly string[], file: string): AddLine {
  const form = checkHeader(header, file)
  const indexOf = (name: string) => header.indexOf(name)
  const columns = {
    old: indexOf(form.old),
    new: indexOf(form.new),
    action: indexOf('recommended_action'),
    model: indexOf('model_name'),
  }
  const beforeNumber = `${file}, line `
  let number = 1
  return (line) => {
    number++
    const place = beforeNumber + number
    const column = (name: keyof typeof columns) => line[columns[name]] ?? ''
    const [old, now, action] = [column('old'), column('new'), column('action')]
    if (action !== '' && !ACTIONS.includes(action)) {
      throw fault(place, `expected map, rename, merge or skip, found ${JSON.stringify(action)}`)
    }
    const model = column('model')
    const isSkipped = action === 'skip'
    if (isSkipped ? !isPerson(model) : now === '') return
    if (old === '') throw fault(place, 'the old name is missing')
    const from = checkedLogin(old, place)
    const to = isSkipped ? from : checkedLogin(now, place)
    const kind = model || (from.includes('/') ? 'repository' : 'user')
    if (kind === 'repository') found.repositories.push({ old: from, new: to, place })
    else if (isPerson(kind)) found.logins.push({ old: from, new: to, place })
    else throw fault(place, `only users, organizations and repositories are renamed, not a ${kind}`)
  }
}

const isPerson = (model: string) => model === 'user' || model === 'organization'

function checkHeader(header: readonly string[], file: string) {
  const place = `${file}, line 1`
  const form = FORMS.find((each) => header.includes(each.old) && header.includes(each.new))
  if (!form) {
    const separated = header.length === 1 && /[;\t]/.test(header[0] ?? '')
    const found = JSON.stringify(header.join(',').slice(0, 100))
    throw fault(
      place,
      separated
        ? `expected columns separated by commas, found ${found}`
        : `expected the columns old,new, found ${found}`,
    )
  }
  const known: readonly string[] = [form.old, form.new, ...form.others]
  const unknown = header.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw fault(place, `expected the columns ${known.join()}, found ${JSON.stringify(unknown)}`)
  }
  const twice = header.find((name, i) => header.indexOf(name) !== i)
  if (twice !== undefined) throw fault(place, `the column ${twice} is there twice`)
  return form
}

/** A login or `owner/name`, of a URL its path. */
function checkedLogin(text: string, place: string): string {
  const [, path] = /^https?:\/\/[^/]+\/(.+?)\/?$/.exec(text) ?? []
  const name = (path ?? text).replace(/^@/, '').replace(/^orgs\//, '')
  if (/^[^/?#\s]+(\/[^/?#\s]+)?$/.test(name)) return name
  throw fault(place, `expected a login or a URL, found ${JSON.stringify(text)}`)
}

/** Refuses what is not UTF-8, without another copy of it. */
function checkText(bytes: Uint8Array, file: string): void {
  const [first, second] = bytes
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  if (isWide || bytes.includes(0)) throw fault(`${file}, line 1`, 'expected UTF-8, found UTF-16')
  if (!isUtf8(bytes)) throw fault(file, 'expected UTF-8, found other bytes')
}

function explain(error: unknown, bytes: Uint8Array, file: string): unknown {
  if (error instanceof ArchiveError) return error
  const { code, lines } = error as CsvError & { lines?: number }
  if (code === undefined) return error
  const place = `${file}, line ${lines ?? bytes.filter((byte) => byte === LINE_FEED).length + 1}`
  if (code === 'CSV_QUOTE_NOT_CLOSED') return fault(place, 'a quote is not closed', error)
  if (code.startsWith('CSV_RECORD_INCONSISTENT')) {
    return fault(place, 'expected as many values as the header has columns', error)
  }
  return fault(place, (error as Error).message, error)
}

const fault = (entry: string, message: string, cause?: unknown) =>
  new ArchiveError('map-invalid', message, { entry }, cause)
