import { sep } from 'node:path'

// Characters that HFS+ leaves out of account.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
// What is no name on Windows, or leads elsewhere there.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are among it.
const NOT_ON_WINDOWS = /[\x00-\x1f<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Whether an entry of a tree may be written under its name: one part of a path, and not what some system takes
 * for `.git`, where Git would look for settings and hooks.
 */
export function isSafeEntry(name: string): boolean {
  if (/[/\\\0]/.test(name)) return false
  if (sep === '\\' && NOT_ON_WINDOWS.test(name)) return false
  // NTFS reads `.git::$INDEX_ALLOCATION`, `GIT~1` and `.git. .` as .git.
  const plain = name.replace(IGNORED, '')
  if (plain === '' || plain === '.' || plain === '..') return false
  const folded = (plain.split(':', 1)[0] ?? '').toLowerCase().replace(/[. ]+$/, '')
  return folded !== '.git' && !/^\.?git~\d+$/.test(folded)
}

/** Whether it is the name of the file of submodules, as a link of which Git was tricked before. */
export const isModulesFile = (name: string): boolean =>
  /^(?:\.gitmodules|gitmod~\d+|gi7eba~\d+)[. ]*$/i.test(name.replace(IGNORED, ''))

/**
 * Whether a link that stands so many folders deep leads to something in the same tree: up as far as that, then
 * down only, so that it stays there whatever links it passes.
 */
export function leadsInside(target: string, depth: number): boolean {
  if (target === '' || target.startsWith('/') || /[\\\0]/.test(target)) return false
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const down = parts.findIndex((part) => part !== '..')
  const up = down < 0 ? parts.length : down
  // A link to .git would let a commit write there.
  return up <= depth && parts.slice(up).every(isSafeEntry)
}
