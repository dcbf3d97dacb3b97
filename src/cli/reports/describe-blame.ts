import type { LineThread } from '../../git/blame/find-threads.ts'
import { localTimeOf } from '../../git/parse/parse-person.ts'
import type { BlamedLine } from '../../reading/git/blame.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { cutToWidth, displayWidth, padToWidth } from '../output/display-width.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { stylesFor } from '../output/styles.ts'

const WIDEST_NAME = 20
const LONGEST_WORDS = 60

/** Lines as `git blame --date=short` shows them, with pull requests, and review threads below their lines. */
export function* describeBlame(
  lines: readonly BlamedLine[],
  file: string,
  abbreviate: (oid: string) => string,
  { stdout, env }: Io,
): Generator<SafeText> {
  const { yellow, cyan, dim } = stylesFor(stdout, env)
  const authorNameOf = ({ commit }: BlamedLine) =>
    cutToWidth(escapeControls(commit.author.name), WIDEST_NAME)
  const pathOf = ({ path }: BlamedLine) => escapeControls(path)
  const oidOf = ({ commit, isBoundary }: BlamedLine) =>
    escapeControls(`${isBoundary ? '^' : ''}${abbreviate(commit.oid)}`)
  const pullOf = ({ brought }: BlamedLine) =>
    escapeControls(brought ? `#${brought.number}${brought.found_by === 'title' ? '?' : ''}` : '')
  const isMoved = lines.some(({ path }) => path !== file)
  const columns = {
    oid: widest(lines, oidOf),
    pull: widest(lines, pullOf),
    name: widest(lines, authorNameOf),
    path: isMoved ? widest(lines, pathOf) : 0,
    line: `${lines.at(-1)?.line ?? 0}`.length,
  }
  for (const one of lines) {
    const { commit, line, threads, text } = one
    const date = escapeControls(localTimeOf(commit.author)?.slice(0, 10) ?? '----------')
    const parts = [
      yellow(padToWidth(oidOf(one), columns.oid, 'right')),
      ...(isMoved ? [padToWidth(pathOf(one), columns.path, 'right')] : []),
      ...(columns.pull > 0 ? [cyan(padToWidth(pullOf(one), columns.pull, 'right'))] : []),
      safe`(${padToWidth(authorNameOf(one), columns.name, 'right')} ${date}`,
      safe`${safe`${line}`.padStart(columns.line)})`,
    ]
    yield safe`${parts.join(' ')} ${escapeControls(text)}`.trimEnd()
    yield safe`\n`
    for (const thread of threads) yield safe`${dim(describeThread(thread))}\n`
  }
}

const widest = (lines: readonly BlamedLine[], textOf: (line: BlamedLine) => SafeText): number =>
  lines.reduce((most, line) => Math.max(most, displayWidth(textOf(line))), 0)

function describeThread({ number, user_login, body, comments, resolved_at }: LineThread): SafeText {
  const words = escapeControls((body ?? '').trim().replaceAll(/\s+/g, ' '))
  const replies = comments === 2 ? ', 1 reply' : comments > 2 ? `, ${comments - 1} replies` : ''
  const state = resolved_at === null ? '' : ', resolved'
  const who = escapeControls(`${user_login ?? '(deleted)'} on #${number ?? '?'}`)
  return safe`    > ${who}: ${cutToWidth(words, LONGEST_WORDS)}${escapeControls(`${replies}${state}`)}`
}
