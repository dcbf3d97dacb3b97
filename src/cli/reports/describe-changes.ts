import type { Change } from '../../git/diff/change.ts'
import type { MergeChange } from '../../git/diff/compare-trees.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import type { Styles } from '../output/styles.ts'

/** What became of each file, a line each: `A  src/kettle.ts`, `R  old.ts → new.ts (87 %)`, `MM  both.ts`. */
export function* describeChanges(
  changes: Iterable<Change | MergeChange>,
  styles: Styles,
): Generator<SafeText> {
  for (const change of changes) {
    const { status, path } = change
    const { before, similarity = 100 } = 'before' in change ? change : {}
    const style = status[0] === 'A' ? styles.green : status[0] === 'D' ? styles.red : styles.yellow
    const from = status === 'R' && before ? safe`${escapeControls(before.path)} → ` : safe``
    const part = similarity < 100 ? safe` (${similarity} %)` : safe``
    yield safe`${style(escapeControls(status))}  ${from}${escapeControls(path)}${part}\n`
  }
}
