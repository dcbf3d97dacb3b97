import { longestKnown } from '../map/map-texts.ts'
import type { Finding } from './finding.ts'

const LOGIN = /[A-Za-z0-9_-]+/y
/** Text that may come before a login in the path of a URL. */
const FOLDERS = /\/(?:api\/v3\/)?(?:(?:orgs|apps|sponsors|organizations|users|repos)\/)?/y
const LONGEST_HOST = 260
const LONGEST_OWNER = 100
/** Text that follows the owner in a short reference, such as `ada/kettle#12` or `ada/kettle@c0ffee1`. */
const REFERENCE = /\/[\w.-]{1,100}(?:#\d|@[0-9a-f]{7,40}\b)/y

/** The name of a repository, as URLs of Git end in it. */
const REPOSITORY = /\/[\w.-]{1,100}\.git(?![\w.-])/y
/** What hosts write into the message of a merge, before the login. */
const MERGE_BEFORE = /\bpull request #\d{1,9} from $/
/** What follows a login in the name of the host of its pages. */
const PAGES = /\.git(?:hub|lab)\.io(?![\w-])/gi

/**
 * Creates a finder of logins: behind an `@`, also within code, paths and names of packages, but not behind a letter or digit, as
 * in an address; in URLs and addresses of Git of known hosts and of hosts below them; in short references, messages of merges, and names of
 * hosts of pages. The case of letters does not count.
 *
 * @param hosts in lower case, such as `forge.example`
 */
export function createLoginFinder(
  logins: readonly string[],
  hosts: ReadonlySet<string> = new Set(),
): (text: string) => Generator<Finding> {
  const known = new Set(logins.map((login) => login.toLowerCase()))
  const loginAt = (text: string, start: number): Finding | undefined => {
    LOGIN.lastIndex = start
    const login =
      longestKnown(text, start, known) ?? LOGIN.exec(text)?.[0].replace(/(?<![-_])[-_]+$/, '')
    if (login === undefined || !known.has(login.toLowerCase())) return undefined
    return { type: 'login', start, end: start + login.length, value: login }
  }
  const inUrl = (text: string, slash: number): Finding | undefined => {
    if (hosts.size === 0 || !isHostBefore(text, slash, hosts)) return undefined
    FOLDERS.lastIndex = slash
    FOLDERS.test(text)
    return loginAt(text, FOLDERS.lastIndex) ?? loginAt(text, slash + 1)
  }
  const before = (
    text: string,
    end: number,
    follows: (start: number) => boolean,
  ): Finding | undefined => {
    const start = startOfRun(text, end, /[\w-]/, LONGEST_OWNER)
    const login = text.slice(start, end)
    if (!known.has(login.toLowerCase()) || !follows(start)) return undefined
    return { type: 'login', start, end, value: login }
  }
  /** In the branch of a merge, in `git@forge.example:ada/kettle`, and before a repository in a URL of any host: of a mirror. */
  const asOwner = (text: string, slash: number): Finding | undefined =>
    before(text, slash, (start) => {
      const sign = text[start - 1] ?? ' '
      if (/[:/]/.test(sign) && isRepository(text, slash)) return true
      return sign === ':'
        ? isHostBefore(text, start - 1, hosts)
        : MERGE_BEFORE.test(text.slice(Math.max(0, start - 40), start))
    })
  const inReference = (text: string, slash: number): Finding | undefined => {
    REFERENCE.lastIndex = slash
    if (!REFERENCE.test(text)) return undefined
    const start = startOfRun(text, slash, /[\w.-]/, LONGEST_OWNER)
    const login = text.slice(start, slash)
    if (!known.has(login.toLowerCase()) || /[/@:]/.test(text[start - 1] ?? ' ')) return undefined
    return { type: 'login', start, end: slash, value: login }
  }
  return function* (text) {
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      if (/[A-Za-z0-9]/.test(text[at - 1] ?? ' ')) continue
      const found = loginAt(text, at + 1)
      if (found) yield found
    }
    let last = 0
    for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
      if (!/[\w.-]/.test(text[at - 1] ?? ' ')) continue
      const found = inUrl(text, at) ?? asOwner(text, at) ?? inReference(text, at)
      if (!found || found.start < last) continue
      yield found
      last = found.end
    }
    for (const { index } of text.matchAll(PAGES)) {
      const found = before(text, index, (start) => !/[.@]/.test(text[start - 1] ?? ' '))
      if (found) yield found
    }
  }
}

function isRepository(text: string, slash: number): boolean {
  REPOSITORY.lastIndex = slash
  return REPOSITORY.test(text)
}

/** Where the run of some characters begins that ends at a place; it may be cut. */
function startOfRun(text: string, end: number, character: RegExp, longest: number): number {
  let start = end
  while (start > Math.max(0, end - longest) && character.test(text[start - 1] as string)) start--
  return start
}

/** Whether a known host ends at a place, or one below it, as `api.forge.example` is. */
export function isHostBefore(text: string, end: number, hosts: ReadonlySet<string>): boolean {
  const run = text.slice(startOfRun(text, end, /[A-Za-z0-9.:-]/, LONGEST_HOST), end).toLowerCase()
  for (let from = 0; from < run.length; ) {
    if (hosts.has(run.slice(from))) return true
    const parted = run.slice(from).search(/[.:]/)
    if (parted < 0) return false
    from += parted + 1
  }
  return false
}
