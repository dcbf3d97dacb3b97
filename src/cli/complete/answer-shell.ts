import { flagsOf, placesOf } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import {
  commandNamed,
  commandsOf,
  FIRST_WORDS,
  isCommandName,
  isGroupName,
  summaryOf,
} from '../commands.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type Candidate, type Candidates, completePlace, completeValue } from './complete-value.ts'
import { optionNameOf, readLine } from './read-line.ts'

/** The candidates for the last word of a command line, in lines of text as `SHELLS` expect them. */
export async function answerShell(
  [shell, ...typed]: readonly string[],
  io: Pick<Io, 'env'>,
): Promise<SafeText> {
  const words = shell === 'bash' ? asTyped(typed) : typed
  const found = await completeLine(words, io)
  if (found === 'files') return safe`:files\n`
  if (shell !== 'bash') {
    return found
      .map((pair) => safe`${pair.map((part = '') => escapeControls(part)).join(safe`\t`)}\n`)
      .join('')
  }
  // Bash treats the text after = as a separate word.
  const done = /^--?[\w-]+=/.exec(words.at(-1) ?? '')?.[0].length ?? 0
  return found.map(([value]) => safe`${escapeControls(value.slice(done))}\n`).join('')
}

/** Joins and unquotes the words of bash, which keep their quotes and are split at =. */
function asTyped(words: readonly string[]): string[] {
  const joined: string[] = []
  for (const [i, word] of words.entries()) {
    const last = joined.at(-1)
    const goesOn = last?.startsWith('-') && (word === '=' || words[i - 1] === '=')
    if (goesOn) joined[joined.length - 1] = last + word
    else joined.push(word)
  }
  return joined.map((word) => word.replace(/\\(.)|["']/g, '$1'))
}

/**
 * The candidates for the last of these words, which follow `marc` on a command line. Candidates for a value after `--option=`
 * begin with the option.
 */
async function completeLine(words: readonly string[], io: Pick<Io, 'env'>): Promise<Candidates> {
  const current = words.at(-1) ?? ''
  const found = await candidatesFor(words.slice(0, -1), current, io)
  return found === 'files' ? found : found.filter(([value]) => value.startsWith(current))
}

async function candidatesFor(
  before: readonly string[],
  current: string,
  io: Pick<Io, 'env'>,
): Promise<Candidates> {
  const [first, second = ''] = before
  if (first === undefined) return [...described(FIRST_WORDS), ...OTHER_WORDS]
  if (first === 'help' && before.length === 1) return helpWords()
  const group = first === 'help' ? second : first
  if (isGroupName(group) && before.length === (first === 'help' ? 2 : 1)) {
    return described(commandsOf(group), `${group} `)
  }
  if (first === 'help') return []
  return isGroupName(first)
    ? ofCommand(`${first} ${second}`, before.slice(2), current, io)
    : ofCommand(first, before.slice(1), current, io)
}

async function ofCommand(
  name: string,
  before: readonly string[],
  current: string,
  io: Pick<Io, 'env'>,
): Promise<Candidates> {
  if (!isCommandName(name)) return []
  const command = await commandNamed(name)
  const flags = flagsOf(command)
  const line = readLine(command, before)
  const optionNamed = (flag: string) => flags.find(([name]) => name === flag)?.[1]
  if (line.open && !(current.startsWith('-') && optionNamed(line.open.name)?.bare)) {
    return completeValue(optionNamed(line.open.name), { line, io })
  }
  const [typed = ''] = current.split('=')
  const given = current.includes('=') ? optionNameOf(flags, typed) : undefined
  if (given !== undefined) {
    const found = await completeValue(optionNamed(given), { line, io })
    return found === 'files'
      ? found
      : found.map(([value, ...rest]) => [`${typed}=${value}`, ...rest])
  }
  if (current.startsWith('-') && !line.onlyPlaces) return optionsOf(flags, line.options)
  const places = placesOf(command.usage)
  const place = places[line.placed.length] ?? places.find(({ many }) => many)
  return place ? completePlace(place.name, command.options[place.name], { line, io }) : []
}

/** Every option that may be added. */
function optionsOf(
  flags: ReturnType<typeof flagsOf>,
  values: Readonly<Record<string, unknown>>,
): Candidate[] {
  const free = flags.filter(([name, { array }]) => array || !(name in values))
  return [
    ...free.map(
      ([name, option]): Candidate => [
        `--${option.default === true ? 'no-' : ''}${name}`,
        option.describe ?? '',
      ],
    ),
    ['--help', 'Show this help'],
  ]
}

const OTHER_WORDS: readonly Candidate[] = [
  ['help', 'Help on a topic'],
  ['--version', 'The version of this program'],
  ['--help', 'Every command'],
]

/** Commands and groups without their common prefix, with their summaries. */
const described = (names: readonly string[], prefix = ''): Candidate[] =>
  names.map((name) => [name.slice(prefix.length), summaryOf(name)])

async function helpWords(): Promise<Candidate[]> {
  const { TOPICS } = await import('../help/topics.ts')
  const topics = Object.entries(TOPICS).map(([name, { summary }]): Candidate => [name, summary])
  return [...topics, ...described(FIRST_WORDS)]
}
