import { createLruCache } from '../../../base/lru-cache.ts'
import { asBytes } from '../../../base/streams.ts'
import type { HistoryEdits, NewFile, StoredFile } from '../../../git/rewrite/rewrite-history.ts'
import type { GitPerson } from '../../../git/rewrite/rewrite-text.ts'
import { isKept } from '../detect.ts'
import { type ContentRedaction, DROPPED, redactContent } from '../files/redact-content.ts'
import { spool } from '../files/temporary-file.ts'
import { UnreadableError } from '../files/unreadable-error.ts'
import type { ValueType } from '../finding.ts'
import type { GitPart } from '../git-parts.ts'
import { isPseudonym, MASKS } from '../pseudonyms.ts'
import { MOST_PLACES, type Redaction, redactName, redactText } from '../redact-records.ts'
import type { BranchRenamer } from './branch-renamer.ts'

/** Names of files that are remembered: a folder has the same in most of its versions. */
const MOST_NAMES = 20_000
/** Names of refs that are remembered: they come in the same order again, so those that come first. */
const MOST_REFS = 100_000

/** A redaction that knows which branches have new names, as messages and settings name them too. */
export interface GitRedaction extends Redaction {
  branches?: BranchRenamer | undefined
  /** The new names of refs that were searched: each name stands in several places. */
  refNames?: Map<string, string> | undefined
}

/** Edits that take values out of the history of a repository, and counts them. */
export function createGitEdits(
  redaction: GitRedaction,
  repository: string,
): Required<Omit<HistoryEdits, 'files'>> {
  const names = createLruCache<string, string>(MOST_NAMES)
  const unread = new Map<string, string>()
  const { unread: report } = redaction.report.git
  return {
    personOf: (person) => redactPerson(person, redaction),
    textOf: (text) => redactGitText(text, 'messages', redaction),
    tagNameOf: (name) => redactRefName(name, redaction),
    nameOf(name) {
      const known = names.get(name)
      if (known !== undefined) return known
      const now = redactFileName(name, redaction)
      names.set(name, now)
      return now
    },
    seeFile(oid, name) {
      const type = unread.get(oid)
      if (type === undefined) return
      unread.delete(oid)
      if (report.paths.length < MOST_PLACES) {
        report.paths.push(redactName(`${repository}: ${name}`, redaction))
      }
    },
    fileOf: (file) =>
      redactFile(file, { redaction, repository }, (type) => {
        report.count++
        report.types[type] = (report.types[type] ?? 0) + 1
        if (unread.size < MOST_PLACES) unread.set(file.oid, type)
      }),
  }
}

/** Replaces values in a text of Git data, and counts them. */
export function redactGitText(text: string, part: GitPart, redaction: GitRedaction): string {
  const { gitValues, branches } = redaction
  const now = redactText(text, redaction, ({ doubtful, type, value }) => {
    if (!doubtful) gitValues.note(part, type, value)
  })
  return branches ? branches.rename(now, (name) => gitValues.note(part, 'name', name)) : now
}

/** A name of a branch or tag that Git allows: the same one in all places. */
export function redactRefName(name: string, redaction: GitRedaction): string {
  const { refNames } = redaction
  const known = refNames?.get(name)
  if (known !== undefined) return known
  const asName = redactAsName(name, 'refs', redaction)
  const now =
    asName === name ? name : asName.replace(/[[\] ~^:?*\\]+/g, '-').replace(/-(?=\/|$)/g, '')
  if (refNames && refNames.size < MOST_REFS) refNames.set(name, now)
  return now
}

const redactFileName = (name: string, redaction: Redaction): string =>
  redactAsName(name, 'names', redaction)

/** Signs that stand for spaces in names of branches and files. */
const JOINTS = /[-_.+]/g

/** Replaces values in a name, in which other signs may stand for the spaces of names of people. */
export function redactAsName(name: string, part: GitPart, redaction: Redaction): string {
  const asName: Redaction = { ...redaction, mode: 'pseudonym' }
  const now = redactGitText(name, part, asName)
  if (!redaction.what.has('names')) return now
  const spaced = now.replace(JOINTS, ' ')
  const people = redaction.detect(spaced).filter(({ type, within }) => type === 'name' && !within)
  return people.reduceRight((rest, { start, end, value }) => {
    redaction.gitValues.note(part, 'name', value)
    const pseudonym = redaction.pseudonyms.of('name', value)
    return rest.slice(0, start) + pseudonym + rest.slice(end)
  }, now)
}

function redactPerson({ name, email }: GitPerson, redaction: GitRedaction): GitPerson {
  return {
    name: redactPersonName(name, 'authors', redaction),
    email: redaction.what.has('emails')
      ? replacePerson('email', email, 'authors', redaction)
      : redactGitText(email, 'authors', redaction),
  }
}

/** The new name of a person, of one word or more. */
export const redactPersonName = (name: string, part: GitPart, redaction: GitRedaction): string =>
  redaction.what.has('names')
    ? replacePerson('name', name, part, redaction)
    : redactGitText(name, part, redaction)

function replacePerson(
  type: ValueType,
  value: string,
  part: GitPart,
  redaction: GitRedaction,
): string {
  const { keep, mode, pseudonyms, authors, gitValues } = redaction
  const isOwn = value === '' || value === MASKS[type] || isPseudonym(type, value)
  if (isOwn || isKept({ type, value }, keep)) return value
  if (!authors.has(value)) {
    authors.add(value)
    noteAuthor(value, redaction)
  }
  gitValues.note(part, type, value)
  // Git needs a name and an address, so `remove` cannot leave them empty.
  return mode === 'pseudonym' ? pseudonyms.of(type, value) : MASKS[type]
}

/** The address of an author must not be left in any file either. */
function noteAuthor(value: string, { detect, removed }: Redaction): void {
  const [found] = detect(value)
  if (found?.type === 'email' && found.value === value) removed.addWhole('email', value)
}

/** Takes values out of a file as out of an attachment. One that cannot be read is replaced, unless such files are to stay. */
async function redactFile(
  file: StoredFile,
  { redaction, repository }: { redaction: Redaction; repository: string },
  noteUnread: (type: string) => void,
): Promise<NewFile | undefined> {
  const { removed, report, gitValues } = redaction
  const keepUnread = report.git.unread.kept
  const part = file.isNote ? 'notes' : 'files'
  const work: ContentRedaction = {
    redaction: {
      ...redaction,
      // What is in Git is counted by its parts.
      report: { ...report, counts: {}, members: {} },
      removed: {
        ...removed,
        add(finding, text) {
          removed.add(finding, text)
          if (!finding.doubtful) gitValues.note(part, finding.type, finding.value)
        },
      },
    },
    path: `repositories/${repository}.git/objects`,
    keepUnread,
    isChanged: false,
    noteUnread: (_, type) => noteUnread(type),
  }
  let size = 0
  async function* counted() {
    for await (const piece of redactContent(file.read, work)) {
      size += piece.length
      yield piece
    }
  }
  try {
    const { read, remove } = await spool(counted())
    if (work.isChanged) {
      gitValues.noteChange(part)
      return { size, read, remove }
    }
    remove()
    return undefined
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    noteUnread(error.type)
    if (keepUnread) return undefined
    gitValues.noteChange(part)
    return { size: DROPPED.length, read: () => asBytes([DROPPED]), remove: () => {} }
  }
}
