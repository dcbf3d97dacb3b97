import { createFileFinder } from '../../database/contents/list-files.ts'
import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { CHANGES, type Change } from '../../transform/diff/diff-options.ts'
import { diffTexts, LONGEST_TEXT } from '../../transform/diff/diff-texts.ts'
import type { DiffSide, DiffSummary } from '../../transform/diff/summarize-diff.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { FORMATS } from '../output/formats.ts'
import { formatCount } from '../output/quantities.ts'
import { PLAIN_STYLES } from '../output/styles.ts'
import {
  type ChangeStyle,
  changedNames,
  changeLine,
  describeChange,
  textLines,
} from './describe-change.ts'

export const DIFF_FORMATS = ['text', 'json', 'ndjson', 'markdown', 'sql'] as const
export type DiffFormat = (typeof DIFF_FORMATS)[number]

/** The number of changes of each kind; in text, also what was compared, and records that are of another kind now. */
export function* formatSummary(summary: DiffSummary, format: DiffFormat): Generator<SafeText> {
  const columns = ['kind', ...CHANGES]
  const rows = [...summary.counts].map(([kind, count]) => [
    kind,
    ...CHANGES.map((name) => count[name]),
  ])
  const name = format === 'text' || format === 'sql' ? 'table' : format
  yield* FORMATS[name].format(
    { columns, rows: rows.values() },
    { styles: PLAIN_STYLES, terminal: false },
  )
  if (format !== 'text') return
  yield safe`\n`
  for (const { from, to, records } of summary.moved) {
    yield safe`moved   ${formatCount(records)} from ${escapeControls(from)} to ${escapeControls(to)}\n`
  }
  for (const [i, side] of summary.sides.entries()) {
    yield safe`${i === 0 ? safe`first ` : safe`second`}  ${describeSide(side)}\n`
  }
}

/** The archives of a database and their problems, in one line. */
function describeSide({ archives, problems }: DiffSide): SafeText {
  const shown = archives.slice(0, MOST_ARCHIVES).map(({ name, exported_at, state }) => {
    const date = exported_at === null ? safe`` : safe`, exported ${escapeControls(exported_at)}`
    return safe`${escapeControls(name)}${date}${state === 'complete' ? safe`` : safe`, ${escapeControls(state)}`}`
  })
  const more = archives.length - shown.length
  const found = problems.map(
    ({ code, times }) => safe`${escapeControls(code)} ${formatCount(times)}`,
  )
  const parts = [
    ...(archives.length === 0 ? [safe`no archive`] : shown),
    ...(more > 0 ? [safe`and ${formatCount(more)} more`] : []),
    problems.length === 0 ? safe`no problems` : safe`problems: ${found.join(', ')}`,
  ]
  return parts.reduce((one, other) => safe`${one}; ${other}`)
}

const MOST_ARCHIVES = 5

/** The changes as JSON, all in an array or one in each line. */
export async function* asJson(
  changes: AsyncIterable<Change>,
  format: 'json' | 'ndjson',
): AsyncGenerator<SafeText> {
  let before = safe`[`
  for await (const change of changes) {
    const text = escapeControlsInJson(JSON.stringify(change))
    yield format === 'json' ? safe`${before}\n  ${text}` : safe`${text}\n`
    before = safe`,`
  }
  if (format === 'json') yield before === '[' ? safe`[]\n` : safe`\n]\n`
}

interface TextOptions {
  a: Database
  b: Database
  style: ChangeStyle
  summary: boolean | undefined
  format: DiffFormat
}

/** The changes as a person reads them. */
export async function* asText(
  changes: AsyncIterable<Change>,
  { a, b, style, summary, format }: TextOptions,
): AsyncGenerator<SafeText> {
  for await (const change of changes) {
    if (summary) {
      const line = safe`${changeLine(change, style)}${changedNames(change)}`
      yield format === 'markdown'
        ? safe`- ${ownText('`` ')}${line}${ownText(' ``')}\n`
        : safe`${line}\n`
      continue
    }
    const lines = await describeChange(change, style)
    if (change.kind === 'files' && change.change === 'changed' && change.url !== null) {
      const [before, after] = [storedText(a, change.url), storedText(b, change.url)]
      if (before !== undefined && after !== undefined) {
        lines.push(...textLines(await diffTexts(before, after, style), style))
      }
    }
    const text = lines.join('\n')
    if (format !== 'markdown') yield safe`${text}\n`
    else {
      const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
      const fence = ownText('`'.repeat(longest + 1))
      yield safe`${fence}diff\n${text}\n${fence}\n\n`
    }
  }
}

/** The content of a text file that is not too long; undefined for any other. */
function storedText(database: Database, path: string): string | undefined {
  const file = createFileFinder(database, { chosen: false })(path)
  if (!file?.stored || file.size > LONGEST_TEXT) return undefined
  const bytes = Buffer.concat([...readWholeFile(database, file)])
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
