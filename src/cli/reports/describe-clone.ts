import type { CloneResult } from '../../git/clone/clone-repository.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import type { SafeText } from '../output/safe-text.ts'

/** What became of a clone, as a person reads it. */
export function describeClone(
  { repository, directory, refs, head, files, bytes, notes, checkedOut }: CloneResult,
  seconds: number,
): SafeText {
  const names = refs === 1 ? '1 ref' : `${formatCount(refs)} refs`
  const objects = files === 0 ? 'no objects' : `${formatBytes(bytes)} of objects`
  return [
    `${repository} is in ${directory}: ${objects}, ${names}, HEAD ${head.replace('ref: ', '')}.`,
    ...(checkedOut === undefined ? [] : [`${formatCount(checkedOut)} files are checked out.`]),
    ...notes.map((note) => `Note: ${note}.`),
    `Written in ${formatDuration(seconds * 1000)}.`,
  ]
    .map(escapeControls)
    .join('\n')
}
