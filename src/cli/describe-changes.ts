import type { Change } from '../git/change.ts'
import { escapeControls } from './output/escape-controls.ts'
import type { Styles } from './output/styles.ts'

/** What became of each file, a line each: `A  src/kettle.ts`, `R  old.ts → new.ts`. */
export function* describeChanges(changes: readonly Change[], styles: Styles): Generator<string> {
  for (const { status, path, before } of changes) {
    const style = status === 'A' ? styles.green : status === 'D' ? styles.red : styles.yellow
    const from = status === 'R' && before ? `${escapeControls(before.path)} → ` : ''
    yield `${style(status)}  ${from}${escapeControls(path)}\n`
  }
}
