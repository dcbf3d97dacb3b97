import { sep } from 'node:path'

// Characters that HFS+ ignores.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
// Names that are invalid or special on Windows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are invalid there.
const NOT_ON_WINDOWS = /[\x00-\x1f<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Whether an entry of a tree may be written under its name: a single path component, and not a name that some system takes
 * for `.git`, where Git looks for settings and hooks.
 */
export function isSafeEntry(name: string): boolean {
  if (/[/\\\0]/.test(name)) return false
  if (sep === '\\' && NOT_ON_WINDOWS.test(name)) return false
  // NTFS reads `.git::$INDEX_ALLOCATION`, `GIT~1` and `.git. .` as .git.
  const plain = name.replace(IGNORED, '')
  if (plain === '' || plain === '.' || plain === '..') return false
  const folded = (plain.split(':', 1)[0] ?? '').toLowerCase().replace(/(?<![. ])[. ]+$/, '')
  return folded !== '.git' && !/^\.?git~\d+$/.test(folded)
}

/** Whether some system takes a name for `.gitmodules`, which must not be a link: Git was attacked that way. */
export const isModulesFile = (name: string): boolean =>
  /^(?:\.gitmodules|gitmod~\d+|gi7eba~\d+)[. ]*$/i.test(name.replace(IGNORED, ''))

/**
 * Whether a link, `depth` folders deep, points inside its tree: at most `depth` levels up, then only down, so that it stays
 * inside whatever links it passes.
 */
export function leadsInside(target: string, depth: number): boolean {
  if (target === '' || target.startsWith('/') || /[\\\0]/.test(target)) return false
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const down = parts.findIndex((part) => part !== '..')
  const up = down < 0 ? parts.length : down
  // A link to .git would let a commit write there.
  return up <= depth && parts.slice(up).every(isSafeEntry)
}
