import type { JsonValue } from '../../records/json/json.ts'
import { ORDER } from '../../transform/diff/compare-records.ts'
import type { Change, MemberChange, MovedCommits } from '../../transform/diff/diff-options.ts'
import { diffTexts, type TextDiff } from '../../transform/diff/diff-texts.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { formatCount } from '../output/quantities.ts'
import type { Styles } from '../output/styles.ts'

/** Longer texts, and texts of several lines, are compared by lines or words. */
const SHORT = 80
/** Digits of the id of a commit. */
const SHORT_ID = 10
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
export function changedNames({ change, members, commits }: Change): SafeText {
  if (change !== 'changed') return safe``
  const names = escapeControls(
    shownMembers(members)
      .map(([name]) => name)
      .join(', '),
  )
  return commits ? safe` (${names}, ${movedBy(commits)})` : safe` (${names})`
}

/** A change with its members, in lines. A record that only one side has is described by its title or name. */
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
  for (const [name, member] of shownMembers(change.members)) {
    lines.push(...(await describeMember(name, member, style)))
  }
  return change.commits ? [...lines, ...commitLines(change.commits, style)] : lines
}

/** The members that people are shown: without the order of names, if those that both sides have are in the same one. */
function shownMembers(members: Change['members']): [string, MemberChange][] {
  const { [ORDER]: order, ...others } = members
  const [before = [], after = []] = [order?.before, order?.after] as (string[] | undefined)[]
  const common = (names: string[], of: string[]) => names.filter((name) => of.includes(name))
  const isSame = String(common(before, after)) === String(common(after, before))
  return Object.entries(isSame ? others : members)
}

const movedBy = ({ added, removed }: MovedCommits): SafeText =>
  safe`commits: +${formatCount(added)} -${formatCount(removed)}`

/** The commits that a ref gained and lost: their number, and those that are listed. */
function commitLines(commits: MovedCommits, { styles }: ChangeStyle): SafeText[] {
  const { added, removed, list } = commits
  const lines = [safe`    ${movedBy(commits)}`]
  for (const { change, oid, subject } of list ?? []) {
    const shown = safe`${escapeControls(oid.slice(0, SHORT_ID))} ${escapeControls(subject)}`
    lines.push(
      change === 'added'
        ? styles.green(safe`      + ${shown}`)
        : styles.red(safe`      - ${shown}`),
    )
  }
  const more = list ? added + removed - list.length : 0
  return more > 0 ? [...lines, safe`      … and ${formatCount(more)} more`] : lines
}

async function describeMember(
  name: string,
  member: MemberChange,
  style: ChangeStyle,
): Promise<SafeText[]> {
  const { red, green } = style.styles
  const label = safe`    ${escapeControls(name)}:`
  const { before, after, removed, added } = member
  const [, list] = /^(.*?)\.?\(order\)$/.exec(name) ?? []
  if (typeof before === 'string' && typeof after === 'string' && isLong(before, after)) {
    return [label, ...textLines(await diffTexts(before, after, style), style)]
  }
  if (removed && added) {
    return [
      label,
      ...removed.map((value) => red(safe`      - ${formatValue(value)}`)),
      ...added.map((value) => green(safe`      + ${formatValue(value)}`)),
    ]
  }
  if (list !== undefined) return [safe`    ${escapeControls(list || 'members')}: in another order`]
  return [safe`${label} ${red(valueOr(before))} → ${green(valueOr(after))}`]
}

const isLong = (before: string, after: string) =>
  before.length > SHORT || after.length > SHORT || /\n/.test(before) || /\n/.test(after)

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
