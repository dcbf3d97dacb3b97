import { isUtf8 } from 'node:buffer'
import { ArchiveError } from '../../base/errors.ts'
import { isText } from '../diff/text-lines.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { walkTree } from '../objects/walk-tree.ts'
import { isBroken } from '../parse/git-object.ts'
import { typeOfEntry } from '../parse/parse-tree.ts'
import type { Matcher } from './compile-patterns.ts'

/** A file that has lines that match. */
export interface GrepFile {
  readonly path: string
  /** All lines without their line feeds. A file that is not UTF-8 is read as Latin-1. */
  readonly lines: readonly string[]
  /** The lines that match, from 0. */
  readonly found: readonly number[]
}

/** The files that were not searched. */
export interface Skipped {
  binary: number
  large: number
  /** Missing or damaged. */
  broken: number
}

export interface GrepOptions {
  /** Only these paths, or what is below them; `*` and `?` are wildcards. Default all. */
  paths?: readonly string[] | undefined
  /** Counts the files that are not searched. */
  skipped?: Skipped | undefined
}

// The limit for patches as well: a larger file is hardly text.
const LARGEST = 32 * 2 ** 20
const MOST_FILES = 2_000_000

/**
 * Searches the text files of a tree, in the order of `git grep`. Skips binary files, files of more than 32 MiB, links,
 * submodules, and files that are missing or damaged.
 *
 * @throws `git-too-large` for more than two million files; `limit-time` as the patterns do; `git-object-missing` or
 *   `git-object-damaged` for a folder
 */
export function* grepTree(
  objects: ObjectStore,
  tree: string,
  { find, hints }: Matcher,
  { paths, skipped = { binary: 0, large: 0, broken: 0 } }: GrepOptions = {},
): Generator<GrepFile> {
  let seen = 0
  for (const { path, oid, mode } of walkTree(objects, tree)) {
    if (++seen > MOST_FILES) {
      throw new ArchiveError('git-too-large', `there are more than ${MOST_FILES} files`)
    }
    if (typeOfEntry({ mode }) !== 'blob' || !mode.startsWith('100')) continue
    if (paths && !paths.some((wanted) => matchPath(path, wanted))) continue
    const content = readFile(objects, oid, skipped)
    if (content === undefined || hints?.some((hint) => content.includes(hint)) === false) continue
    const lines = content.toString(isUtf8(content) ? 'utf8' : 'latin1').split('\n')
    if (lines.at(-1) === '') lines.pop()
    const found = find(lines)
    if (found.length > 0) yield { path, lines, found }
  }
}

/** The content of a text file; undefined, and counted, if it is not one. */
function readFile(objects: ObjectStore, oid: string, skipped: Skipped): Buffer | undefined {
  try {
    if (objects.sizeOf(oid) > LARGEST) {
      skipped.large++
      return undefined
    }
    const { content } = objects.read(oid)
    if (isText(content)) return content
    skipped.binary++
  } catch (error) {
    if (!isBroken(error)) throw error
    skipped.broken++
  }
  return undefined
}

/**
 * Whether a text matches a pattern in which `*` stands for any characters, slashes too, and `?` for one. The time grows
 * at most with the product of their lengths.
 */
export function matchWildcards(text: string, pattern: string): boolean {
  let [at, place] = [0, 0]
  // Where to go on if the characters after the last star do not match.
  let [star, retry] = [-1, 0]
  while (at < text.length) {
    const wanted = pattern[place]
    if (wanted === '*') {
      star = place++
      retry = at
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at++
      place++
    } else if (star >= 0) {
      place = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[place] === '*') place++
  return place === pattern.length
}

/** Whether a path matches a pattern as in Git: the path itself, or a folder above it. */
export function matchPath(path: string, pattern: string): boolean {
  const wanted = pattern.replace(/^(?:\.\/)+|(?<!\/)\/+$/g, '')
  if (wanted === '' || wanted === '.' || path.startsWith(`${wanted}/`)) return true
  return (
    matchWildcards(path, wanted) || (wanted.includes('*') && matchWildcards(path, `${wanted}/*`))
  )
}
