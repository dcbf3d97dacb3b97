import type { GitFault, GitFaultCode } from '../../git/verify/verify-repository.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'

/** What came of looking at a repository. */
export interface Verified {
  repository: string
  /** Objects that refs lead to. */
  objects: number
  /** Bytes of packs. */
  bytes: number
  /** Of all faults. */
  count: number
  /** The first of them. */
  faults: (Pick<GitFault, 'entry' | 'oid' | 'message'> & {
    code: GitFaultCode | 'git-unsupported'
  })[]
}

/** Whether a repository is whole, as a person reads it. */
export function describeVerified(
  { repository, objects, bytes, count, faults }: Verified,
  { stdout, env }: Io,
): SafeText {
  const { bold } = stylesFor(stdout, env)
  const name = bold(escapeControls(repository))
  const seen = safe`${formatCount(objects)} objects, ${formatBytes(bytes)} of packs`
  if (count === 0) return safe`${name}: whole (${seen})`
  const lines = faults.flatMap(({ code, entry, message }) => [
    safe`  ${escapeControls(`${code}: ${message}`)}`,
    ...(entry === null ? [] : [safe`    ${escapeControls(entry)}`]),
  ])
  const more = count - faults.length
  return [
    safe`${name}: ${count === 1 ? safe`1 fault` : safe`${formatCount(count)} faults`} (${seen})`,
    ...lines,
    ...(more > 0 ? [safe`  and ${formatCount(more)} more`] : []),
  ].join('\n')
}
