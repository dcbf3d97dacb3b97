import type { Io } from '../io.ts'
import { displayWidth, padToWidth } from '../output/display-width.ts'
import { escapeControls } from '../output/escape-controls.ts'

/** Names in as many columns as fit, read downwards; one a line in a pipe. */
export function listNames(names: readonly string[], { io }: { io: Pick<Io, 'stdout'> }): string {
  const shown = names.map(escapeControls)
  const { isTTY, columns = 80 } = io.stdout
  const width = Math.max(1, ...shown.map(displayWidth)) + 2
  const across = isTTY ? Math.max(1, Math.floor((columns + 2) / width)) : 1
  const down = Math.ceil(shown.length / across)
  return Array.from({ length: down }, (_, row) => {
    const line = shown.filter((_, i) => i % down === row)
    return `${line
      .map((name) => padToWidth(name, width, 'right'))
      .join('')
      .trimEnd()}\n`
  }).join('')
}
