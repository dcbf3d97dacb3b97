import { percentDecoded } from '../../base/text.ts'
import { relativeAddress } from '../../files/relative-address.ts'
import type { Library } from '../../reading/library.ts'
import {
  type BodyLinks,
  type FoundAddress,
  rewriteBody,
} from '../../reading/markdown/rewrite-body.ts'
import type { DocumentLinks } from '../../reading/markdown/thread-markdown.ts'
import { foldCase } from '../../reading/names.ts'
import type { Store } from '../../reading/store.ts'
import { uploadLinks } from '../../records/upload-links.ts'
import type { Chosen } from './chosen.ts'
import type { Plan } from './plan-files.ts'

/** The address of a file of the folder from another one, for the target of a link. */
export function addressFrom(from: string, to: string): string {
  const address =
    from === to ? relativeAddress('', to.slice(to.lastIndexOf('/') + 1)) : relativeAddress(from, to)
  return withoutParentheses(address)
}

/** The file that a text is in, and what it belongs to. */
export interface Place {
  readonly file: string
  /** The address of its page on the host, from which relative addresses begin. */
  readonly url: string
  /** `owner/name`, for `#12`. */
  readonly repository: string | null
}

/** All links of a folder need this. */
export interface LinkSources {
  readonly library: Library
  readonly plan: Plan
  readonly chosen: Chosen
}

/** Where the links of a text lead: to files of the folder, or else to where they led on the host. */
export function linksFrom(place: Place, sources: LinkSources): DocumentLinks {
  const { plan } = sources
  const links: BodyLinks = {
    address: (url) => addressOf(url, place, sources),
    reference(reference) {
      if (reference.kind === 'person') return inFolder(plan.personFile(reference.login), place)
      if (reference.kind !== 'thread') return undefined
      const name = reference.repository ?? place.repository
      const found = name === null ? undefined : threadFile(name, reference.number, '', sources)
      return inFolder(found?.file, place)
    },
  }
  return {
    body: (text) => rewriteBody(text, links),
    upload: (url) => inFolder(plan.uploadFile(url), place),
    anchor: anchorOf,
  }
}

const inFolder = (file: string | undefined, { file: from }: Place): string | undefined =>
  file === undefined ? undefined : addressFrom(from, file)

/** The fragment of an item of a thread: `issuecomment-12` or `r34`. */
function anchorOf(url: string): string | undefined {
  const fragment = url.slice(url.indexOf('#') + 1)
  return /^[\w-]{1,100}$/.test(fragment) ? fragment : undefined
}

const THREAD =
  /^https?:\/\/([^/]+)\/([^/]+\/[^/]+)\/(issues|pull|pulls|discussions)\/(\d{1,15})(?:\/files|\/changes)?\/?(?:\?[^#]*)?(?:#(.*))?$/

function addressOf(written: string, place: Place, sources: LinkSources): FoundAddress | undefined {
  // On the host it begins at the page of the thread; here it would lead to any file of the reader.
  const found = URL.parse(written) ?? URL.parse(written, place.url)
  if (!found && /^https?:/i.test(written)) return undefined
  if (!found || !/^(?:https?|mailto):$/.test(found.protocol)) return { to: 'about:blank#blocked' }
  const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(written)
  const local = localAddress(isAbsolute ? written : found.href, place, sources)
  return local ?? (isAbsolute ? undefined : { to: withoutParentheses(found.href) })
}

/** An address that is the target of a link whatever is in it. */
const withoutParentheses = (address: string): string =>
  address.replace(/[()'"<>\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)

function localAddress(url: string, place: Place, sources: LinkSources): FoundAddress | undefined {
  const { plan, library } = sources
  const upload = plan.uploadFile(url) ?? plan.uploadFile(uploadLinks(url)[0] ?? '')
  if (upload !== undefined) return { to: addressFrom(place.file, upload) }
  const [, host = '', name = '', word = '', number, fragment = ''] = THREAD.exec(url) ?? []
  if (number === undefined || !library.isHost(host)) return undefined
  const fullName = percentDecoded(name)
  const found = threadFile(fullName, Number(number), word, sources)
  if (!found) return undefined
  const anchor = itemOf(found, fragment, sources)
  const to =
    anchor === undefined
      ? addressFrom(place.file, found.file)
      : `${found.file === place.file ? '' : addressFrom(place.file, found.file)}#${anchor}`
  const near = foldCase(fullName) === foldCase(place.repository ?? '') ? '' : fullName
  return { to, label: `${near}#${number}${anchor === undefined ? '' : ' (comment)'}` }
}

interface FoundThread {
  readonly store: Store
  readonly url: string
  readonly file: string
}

/** The file of a thread by its number; of several, the one that the word in an address means. */
function threadFile(
  fullName: string,
  number: number,
  word: string,
  { library, plan }: LinkSources,
): FoundThread | undefined {
  const repository = library.repository(fullName)
  if (!repository) return undefined
  const parts = ['issues', 'pull', 'discussions']
  const meant = word === 'pulls' ? 'pull' : word
  const order = parts.includes(meant) ? [meant, ...parts.filter((part) => part !== meant)] : parts
  const found = plan.threadAt(order.map((part) => `${repository.url}/${part}/${number}`))
  return found && { store: repository.store, ...found }
}

const ITEMS = [
  ['issue_comments', ''],
  ['discussion_comments', ''],
  ['issue_events', ''],
  ['pull_request_reviews', '/files'],
  ['pull_request_review_comments', '/files'],
] as const

/** The anchor of an item that a fragment names; undefined if the file does not have it. */
function itemOf(
  { store, url }: FoundThread,
  fragment: string,
  { chosen }: LinkSources,
): string | undefined {
  const anchor = fragment.replace(/^discussion_r(?=\d)/, 'r')
  if (!/^(?:issuecomment-|event-|pullrequestreview-|r|discussioncomment-)\d+$/.test(anchor))
    return undefined
  const isThere = ITEMS.some(([table, path]) => {
    const item = `${url}${path}#${anchor}`
    return store.get(`SELECT 1 FROM ${table} WHERE url = ?`, item) && chosen.has(store, table, item)
  })
  return isThere ? anchor : undefined
}
