import type { Kind } from '../../../records/kinds/kind.ts'
import { KINDS } from '../../../records/kinds/kinds.ts'
import { memberPaths } from '../../../records/kinds/member-paths.ts'
import type { ValueType } from '../finding.ts'
import { isInReplacement } from './replacements.ts'

/** A value that was found, and the text on each side of it. */
export interface FoundValue {
  type: ValueType
  value: string
  before: string
  after: string
}

/**
 * Whether a value that was found is the one that was removed. Secrets and addresses are, wherever they stand. Others may be a
 * part of something else, which stays: `1.2.3.4` is not in `11.2.3.45`, nor `Martin` in `Martinique`.
 */
export const isWhole = (found: FoundValue, keep: ReadonlySet<string>): boolean =>
  TESTS[found.type](found, keep)

const TESTS: Readonly<
  Record<ValueType, (found: FoundValue, keep: ReadonlySet<string>) => boolean>
> = {
  secret: () => true,
  email: (found, keep) => !isOtherAddress(found, keep),
  name: (found) => isWholeName(found) && !isPartOfReplacement(found),
  login: ({ value, before, after }) =>
    (!/[A-Za-z0-9]$/.test(before) || ESCAPED.test(before)) &&
    !(/-$/.test(before) && !value.startsWith('@')) &&
    !/^[-_]*[A-Za-z0-9]/.test(after),
  ip: ({ value, before, after }) => {
    const isV6 = value.includes(':')
    if (/[A-Za-z0-9]$/.test(before) && !ESCAPED.test(before)) return false
    if ((isV6 ? /:$/ : /\.$/).test(before)) return false
    return !/^(?:[A-Za-z0-9]|\.\d)/.test(after) && !(isV6 && /^:[0-9a-f:]/i.test(after))
  },
  own: (found) =>
    startsWord(found.before) &&
    !/^[\p{L}\p{N}\p{M}_]/u.test(found.after) &&
    !isPartOfReplacement(found) &&
    !isOfFormat(found),
}

/** An escape of JSON before a word is not a part of it. */
const ESCAPED = /\\[bfnrt]$/

const startsWord = (before: string): boolean =>
  !/[\p{L}\p{N}\p{M}_]$/u.test(before) || ESCAPED.test(before)

/** A name may have quotes and hyphens around it, but is not part of a word that has a quote within. */
const isWholeName = ({ before, after }: FoundValue): boolean =>
  (!/[\p{L}\p{N}\p{M}]$/u.test(before) || ESCAPED.test(before)) &&
  (!/^['’]?[\p{L}\p{N}\p{M}]/u.test(after) || /^['’]s(?![\p{L}\p{N}\p{M}])/u.test(after))

/** Of a text that was cut within such a name, what is left has the form of an address: `icon@2x.pn`. */
const PICTURE = /@[1-9]x\.(?:png|jpe?g|gif|svg|webp)$/

/**
 * What stays: a handle such as `@ada@forge.example`, a login on a server of Git, the user in a URL, the name of a picture, and a
 * longer address that the user keeps.
 */
function isOtherAddress({ value, before, after }: FoundValue, keep: ReadonlySet<string>): boolean {
  const [run = ''] = /[\p{L}\p{N}._%+'&~-]*$/u.exec(before) ?? []
  const isEscaped = before.at(-run.length - 1) === '\\' && /^[bfnrt]/.test(run)
  const left = isEscaped ? run.slice(1) : run
  const outside = before.slice(0, before.length - left.length)
  if (outside.endsWith('@')) return true
  if (/:\/\/(?:[^\s/@]{0,80}:\$?)?$/.test(outside) && !after.startsWith('@')) return true
  const [right = ''] = /^[\p{L}\p{N}.-]*/u.exec(after) ?? []
  const all = `${left}${value}${right.replace(/[.-]+$/, '')}`.toLowerCase()
  if (/^git@/.test(all) && /^[:/]/.test(after.slice(right.length))) return true
  if (all.length === value.length) return false
  return PICTURE.test(all) || keep.has(all) || keep.has(all.replace(/^.*@/s, ''))
}

const isPartOfReplacement = ({ value, before, after }: FoundValue): boolean =>
  isInReplacement(before + value + after, before.length, before.length + value.length)

const KNOWN_KINDS = Object.values<Kind>(KINDS)
/** Names of known members. */
const MEMBERS = new Set(
  KNOWN_KINDS.flatMap((kind) => memberPaths(kind).flatMap(({ text }) => text.split(/[.[\]]+/))),
).add('type')
const TYPES = new Set(KNOWN_KINDS.map(({ type }) => type))

/** Whether a string belongs to the format of archives: such are never values, whatever a user wants to take out. */
function isOfFormat({ value, before, after }: FoundValue): boolean {
  if (!before.endsWith('"') || !after.startsWith('"')) return false
  if (MEMBERS.has(value.toLowerCase()) && /^"\s*:/.test(after)) return true
  return TYPES.has(value) && /"type"\s*:\s*"$/.test(before)
}
