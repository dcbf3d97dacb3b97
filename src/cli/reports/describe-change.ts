import type { JsonValue } from '../../records/json/json.ts'
import type { Change, MemberChange } from '../../transform/diff/diff-options.ts'
import { diffTexts, type TextDiff } from '../../transform/diff/diff-texts.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import type { Styles } from '../output/styles.ts'

/** Longer texts, and texts of several lines, are compared by lines or words. */
const SHORT = 80
/** Characters of other values. */
const LONGEST_VALUE = 300

export interface ChangeStyle {
  styles: Styles
  /** Lines around a change. */
  context: number
  byWord: boolean
}

const SIGNS = { added: safe`+`, removed: safe`-`, changed: safe`~` } as const

/** The first line of a change: `~ issues https://…`. */
export function changeLine(
  { kind, url, change }: Change,
  { styles }: Pick<ChangeStyle, 'styles'>,
): SafeText {
  const style = { added: styles.green, removed: styles.red, changed: styles.yellow }[change]
  const name = url === null ? noName(kind) : escapeControls(url)
  return safe`${style(SIGNS[change])} ${escapeControls(kind)} ${styles.bold(name)}`
}

const noName = (kind: string) => (kind === 'entries' ? safe`(the container)` : safe`(no URL)`)

/** The names of the members that changed, for one line. */
export const changedNames = ({ change, members }: Change): SafeText =>
  change === 'changed' ? safe` (${escapeControls(Object.keys(members).join(', '))})` : safe``

/** A change with its members, in lines. A record that only one side has is told by its title or name. */
export async function describeChange(change: Change, style: ChangeStyle): Promise<SafeText[]> {
  const lines = [changeLine(change, style)]
  if (change.change !== 'changed') {
    const side = change.change === 'added' ? 'after' : 'before'
    for (const name of ['title', 'name', 'event', 'body', 'size', 'oid']) {
      const value = change.members[name]?.[side]
      if (value !== undefined && value !== null) {
        lines.push(safe`    ${escapeControls(name)}: ${formatValue(value)}`)
        break
      }
    }
    return lines
  }
  for (const [name, member] of Object.entries(change.members)) {
    lines.push(...(await describeMember(name, member, style)))
  }
  return lines
}

async function describeMember(
  name: string,
  member: MemberChange,
  style: ChangeStyle,
): Promise<SafeText[]> {
  const { red, green } = style.styles
  const label = safe`    ${escapeControls(name)}:`
  const { before, after } = member
  if (typeof before === 'string' && typeof after === 'string' && isLong(before, after)) {
    return [label, ...textLines(await diffTexts(before, after, style), style)]
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [gone, come] = [without(before, after), without(after, before)]
    if (gone.length + come.length === 0) return [safe`${label} in another order`]
    return [
      label,
      ...gone.map((value) => red(safe`      - ${formatValue(value)}`)),
      ...come.map((value) => green(safe`      + ${formatValue(value)}`)),
    ]
  }
  return [safe`${label} ${red(valueOr(before))} → ${green(valueOr(after))}`]
}

const isLong = (before: string, after: string) =>
  before.length > SHORT || after.length > SHORT || /\n/.test(before) || /\n/.test(after)

/** The elements of one list that another does not have, as often as they are there. */
function without(list: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const counts = new Map<string, number>()
  for (const value of other) {
    const text = JSON.stringify(value)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return list.filter((value) => {
    const text = JSON.stringify(value)
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count <= 0
  })
}

const valueOr = (value: JsonValue | undefined): SafeText =>
  value === undefined ? safe`(absent)` : formatValue(value)

function formatValue(value: JsonValue): SafeText {
  const text = JSON.stringify(value)
  return escapeControlsInJson(
    text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text,
  )
}

/** How two texts differ, in lines. */
export function textLines(diff: TextDiff, { styles }: Pick<ChangeStyle, 'styles'>): SafeText[] {
  const { red, green, cyan } = styles
  if ('sizes' in diff) {
    const [before, after] = diff.sizes
    const [old, now] = diff.sums
    return [
      red(safe`      - ${formatCount(before)} bytes, sha256 ${escapeControls(old)}`),
      green(safe`      + ${formatCount(after)} bytes, sha256 ${escapeControls(now)}`),
    ]
  }
  if ('words' in diff) {
    const text = diff.words
      .map(({ added, removed, value }) => {
        const shown = escapeControls(value)
        return added ? green(safe`{+${shown}+}`) : removed ? red(safe`[-${shown}-]`) : shown
      })
      .reduce((one, other) => safe`${one}${other}`, safe``)
    return [safe`      ${text}`]
  }
  return diff.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    cyan(safe`      @@ -${oldStart},${oldLines} +${newStart},${newLines} @@`),
    ...lines.map((line) => {
      const shown = safe`      ${escapeControls(line)}`
      return line.startsWith('-') ? red(shown) : line.startsWith('+') ? green(shown) : shown
    }),
  ])
}
