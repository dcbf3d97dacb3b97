/** A path that no endpoint has. */
export const NO_PATH = '/\0'

/** Paths that exist at the root only. */
const ROOT_ONLY = /^\/(?:_|admin\/)/

/** The path of a request, checked before anything decodes it. */
export interface RawPath {
  /** The path that endpoints are matched with, its segments still encoded; `NO_PATH` for one that is refused. */
  readonly path: string
  /** `/api/v3` if the request came below it. */
  readonly prefix: '' | '/api/v3'
  /** The query with its `?`, or nothing. */
  readonly search: string
}

/**
 * Splits a request target. Refuses parts that a URL parser would normalize: empty and dot segments, also encoded ones,
 * backslashes, control characters, invalid percent-encoding and a trailing slash. Only a path of `contents` may begin or end
 * with a slash: clients write one before an empty path, and before a path that has one.
 *
 * @param target the target as it was sent: `/path?query`, or an absolute address
 */
export function splitTarget(target: string): RawPath {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '')
  const [, path = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(relative) ?? []
  const whole = path === '' && relative !== target ? '/' : path
  const isBelow = whole === '/api/v3' || whole.startsWith('/api/v3/')
  const inner = withoutOuterSlashes(isBelow ? whole.slice('/api/v3'.length) || '/' : whole)
  const isRefused = !isPlain(inner) || (isBelow && ROOT_ONLY.test(inner))
  return { path: isRefused ? NO_PATH : inner, prefix: isBelow ? '/api/v3' : '', search }
}

const CONTENTS = /^(\/repos\/[^/]+\/[^/]+\/contents)\/(.*)$/s

/** A path of `contents` without the slashes around the path of its file. */
function withoutOuterSlashes(path: string): string {
  const [, contents, file = ''] = CONTENTS.exec(path) ?? []
  if (contents === undefined) return path
  const inner = file.replace(/^\//, '').replace(/\/$/, '')
  return inner === '' ? contents : `${contents}/${inner}`
}

function isPlain(path: string): boolean {
  if (path === '/') return true
  if (!path.startsWith('/')) return false
  return path.slice(1).split('/').every(isPlainSegment)
}

function isPlainSegment(segment: string): boolean {
  const text = decode(segment)
  if (text === undefined || text === '' || text === '.' || text === '..') return false

  return !/[\\\p{Cc}]/u.test(text)
}

/** The path of a page, as people and other programs write it. */
export interface PagePath {
  readonly path: string
  /** Whether it was sent with a slash at the end. */
  readonly hasSlash: boolean
}

/**
 * Settles the path of a request for a page. An address may end with a slash, as people type it. A file or ref of a repository
 * may have any characters in its name except NUL, also backslashes and control characters: it is looked up, and never becomes a
 * path on a disk.
 *
 * @param target the target as it was sent
 * @returns the path of `splitTarget` for any other request
 */
export function settlePagePath(raw: RawPath, target: string): PagePath {
  if (raw.path !== NO_PATH || raw.prefix !== '') return { path: raw.path, hasSlash: false }
  const short = splitTarget(target.replace(/\/(?=\?|$)/, ''))
  if (short.path !== NO_PATH && short.prefix === '') return { path: short.path, hasSlash: true }
  return { path: pathOfOddName(target) ?? NO_PATH, hasSlash: false }
}

function pathOfOddName(target: string): string | undefined {
  const [, path = ''] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)/i.exec(target) ?? []
  const segments = path.split('/').slice(1)
  const isFine = segments.every((segment) => {
    const text = decode(segment)
    return text !== undefined && !/^\.{0,2}$|\0/.test(text) && !/[\\\p{Cc}]/u.test(segment)
  })
  return isFine && segments.length > 3 && !segments[0]?.startsWith('_') ? path : undefined
}

/** A segment decoded; undefined if its percent-encoding is invalid. */
export function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
