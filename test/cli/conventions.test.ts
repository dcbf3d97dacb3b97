import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placesOf } from '../../src/cli/command/command.ts'
import { parseArguments } from '../../src/cli/command/parse-arguments.ts'
import { COMMANDS, type CommandName, commandNamed } from '../../src/cli/commands.ts'
import { main } from '../../src/cli/main.ts'
import { JSON_OPTION } from '../../src/cli/options/format-options.ts'
import { displayWidth } from '../../src/cli/output/display-width.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { addImports, type ImportHost } from '../support/import-host.ts'
import { loadOnce } from '../support/load-once.ts'
import { collector, type Outcome, ROOT, run, shareFolder } from '../support/run-command.ts'
import { type Host, migration, startHost, TOKEN } from '../support/scripted-host.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'
import { wordsOf } from '../support/words-of.ts'

/** The conventions of all commands, shown by their own examples. Each example runs once, on a terminal. */

const names = Object.keys(COMMANDS) as CommandName[]
const commands = await Promise.all(
  names.map(async (name) => ({ name, command: await commandNamed(name) })),
)

/** The words after the name of the program. */
const typed = (line: string) => wordsOf(line).slice(1)

// Formats for programs, stored bytes and lines with paths are never cut to a terminal.
const UNCUT =
  /^marc (repo )?cat |^marc (ls|repo clone) |^marc completion |--(json|nl|csv|format|list|print-config)\b/

// The totals of cache list are a message, not rows; a server says what it serves, and where its state is; a prompt asks.
const TELLS = /^marc (cache list$|serve |migration authorize )/

shareFolder({})

/** A host that commands ask, and what somebody types there. */
let host: Host
let imported: ImportHost
/** What it serves of a repository. */
let served: ArchiveServer
const there = () => ({ MARC_SERVER: host.url, MARC_TOKEN: TOKEN })
const PASSWORD = { typed: 'secret\r' }

afterAll(() => Promise.all([host.close(), served.close()]))

beforeAll(async () => {
  symlinkSync(join(ROOT, 'samples'), 'samples')
  host = await startHost(readFileSync('samples/hello.tar.gz'))
  host.migrations = [migration(12), migration(1, { lock_repositories: true })]
  imported = addImports(host)
  imported.states = ['SUCCEEDED']
  imported.mannequins = [{ id: 'M_1', login: 'ada', claimant: null }]
  writeFileSync('people.csv', 'mannequin-user,mannequin-id,target-user\nada,M_1,ada-forge\n')
  await loadOnce([readFileSync('samples/hello.tar.gz')], 'imported.db', {})
  served = await serveArchive(['imported.db'], { state: ':memory:' })
  host.repositories = served.fetch
})

const examples = commands.flatMap(({ name, command }) =>
  command.examples.map(([line]) => ({ name, line })),
)
/** They write folders of many files, which takes long: their examples are all further ones. */
const LONG = ['site', 'export']
const [[firstExamples], [furtherExamples]] = firstOfEach(examples, ({ name }) =>
  LONG.includes(name) ? names[0] : name.split(' ')[0],
)
describe('the first example of every command and group that does not take long', () =>
  testExamples(firstExamples, firstExamples))
// They use what the first ones make.
describe('every further example', THOROUGH, () => testExamples(furtherExamples, examples))

const known = new Map<string, Outcome & { line: string }>()

/** Tests some examples, for which these are run that were not yet. */
function testExamples(chosen: typeof examples, needed: typeof examples): void {
  const outcomes: (Outcome & { line: string })[] = []
  beforeAll(async () => {
    const env = { NO_COLOR: '1', ...there() }
    for (const { line } of needed) {
      if (known.has(line)) continue
      known.set(line, { line, ...(await run(typed(line), { tty: 'stdout', env, ...PASSWORD })) })
    }
    outcomes.push(...chosen.flatMap(({ line }) => known.get(line) ?? []))
  }, 180_000)

  test('succeeds, and prints only its result', () => {
    const silent = outcomes.map((each) => (TELLS.test(each.line) ? { ...each, stderr: '' } : each))
    const success = ({ line }: { line: string }) => successOf(typed(line)[0] ?? '')
    expect(
      silent.filter((each) => each.code !== success(each) || each.stderr !== '' || !each.stdout),
    ).toEqual([])
    expect(outcomes.length).toBe(chosen.length)
  })

  test('prints no colours under NO_COLOR', () => {
    expect(outcomes.filter(({ stdout }) => stdout.includes('\x1b'))).toEqual([])
  })

  test('fits a terminal of 80 columns', () => {
    for (const { line, stdout } of outcomes.filter((each) => !UNCUT.test(each.line))) {
      // A longer word, such as a URL, is left whole.
      const wide = stdout
        .split('\n')
        .filter((text) => displayWidth(text) > 80 && /\S\s+\S/.test(text))
      expect(wide, line).toEqual([])
    }
  })
}

/** The first example of a command again; it overwrites what it wrote, and what the host has imported is forgotten. */
const again = ({ command }: (typeof commands)[number]) => {
  const [[line] = ['']] = command.examples
  imported.imports.length = 0
  imported.names.clear()
  return [...typed(line), ...('force' in command.options ? ['--force'] : [])]
}

const closePipe = async (command: (typeof commands)[number]) => {
  const { stderr, ...outcome } = await runClosed(again(command))
  expect(outcome).toEqual({ code: successOf(command.name), writes: 1 })
  if (!TELLS.test(`marc ${command.name} `)) expect(stderr).toBe('')
}
/** The first command of each group. */
const divided = (all: typeof commands) =>
  firstOfEach(all, ({ name }) => name.split(' ')[1] && name.split(' ')[0])

const [[one], [others]] = divided(commands)
everyDay(1)(one)('a closed pipe ends marc $name quietly', closePipe)
test.each(others)('a closed pipe ends marc $name quietly', THOROUGH, closePipe)

/** Runs a command whose reader has closed the pipe. */
async function runClosed(argv: readonly string[]) {
  let writes = 0
  const stderr = collector()
  const stdout = new Writable({
    write(_piece, _encoding, done) {
      writes++
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    },
  })
  const code = await main(argv, {
    stdin: Object.assign(Readable.from([PASSWORD.typed]), { isTTY: true }),
    stdout,
    stderr: stderr.stream,
    env: { HOME: '.', XDG_CACHE_HOME: '.cache', ...there() },
  })
  return { code, stderr: stderr.text(), writes }
}

// At a prompt, statements have the format, and its commands do not.
const withJson = commands.filter(
  ({ name, command }) => 'json' in command.options && name !== 'shell',
)

/** The exit code of diff says that its sources differ. */
const successOf = (name: string) => (name === 'diff' ? 1 : 0)

const printJson = async (command: (typeof commands)[number]) => {
  const { name } = command
  const argv = again(command).filter((word) => !['--oneline', '--stat'].includes(word))
  const { code, stdout } = await run([...argv, '--json'], { env: there(), ...PASSWORD })
  expect(code).toBe(successOf(name))
  expect(isJson(stdout), stdout).toBe(true)

  const words = name.split(' ')
  const places = placesOf(command.command.usage).filter(({ needed }) => needed)
  const missing = ['no-such-file', 'a/b', 'c'].slice(0, places.length)
  // These need no file.
  const wrong = /^(accounts|cache) /.test(name) ? ['--jsom'] : []
  const { stderr } = await run([...words, ...missing, ...wrong, '--json'])
  expect(JSON.parse(stderr)).toMatchObject({
    error: { code: expect.any(String), remedy: expect.any(String) },
  })
}
const [[someJson], [moreJson]] = divided(withJson)
everyDay(1)(someJson)('marc $name --json prints JSON, and its errors as JSON', printJson)
test.each(moreJson)('marc $name --json prints JSON, and its errors as JSON', THOROUGH, printJson)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** They print bytes: stored content, a script, or messages of a protocol. */
const PRINTS_BYTES = ['cat', 'mcp', 'completion', 'repo cat']
/** Each target of an export has an option of its own. */
const HAS_TARGETS = ['export']

test('every command that prints rows or facts has --json, beside --format as its short form', () => {
  const without = commands.filter(({ command }) => !('json' in command.options))
  expect(without.map(({ name }) => name)).toEqual(PRINTS_BYTES)
  const choosing = commands.filter(({ command }) =>
    command.options.format?.choices?.includes('json'),
  )
  expect(choosing.filter(({ command }) => command.options.json !== JSON_OPTION)).toEqual([])
  expect(choosing.length).toBeGreaterThan(10)
})

test('every command that writes a file or folder has -o', () => {
  const writes = commands.filter(
    ({ command }) => 'force' in command.options || /<(folder|directory)>/.test(command.usage),
  )
  const without = writes.filter(
    ({ command }) => !Object.values(command.options).some(({ alias }) => alias === 'o'),
  )
  expect(without.map(({ name }) => name)).toEqual(HAS_TARGETS)
  expect(writes.length).toBeGreaterThan(8)
})

test.each(['attachments extract', 'site', 'repo clone'] as const)(
  'marc %s writes to the folder of -o as to that of its argument',
  async (name) => {
    const command = await commandNamed(name)
    const isNeeded = placesOf(command.usage).at(-1)?.needed
    const places = placesOf(command.usage).map((place) => place.name)
    const folder = places.at(-1) as string
    const words = places.slice(0, -1)
    expect(parseArguments(command, [...words, '-o', 'out'])).toMatchObject({
      [folder]: 'out',
      ...Object.fromEntries(words.map((word) => [word, word])),
    })
    if (isNeeded) {
      expect(() => parseArguments(command, words)).toThrow(`<${folder}> is missing`)
    }
    const both = () => parseArguments(command, [...words, 'here', '-o', 'out'])
    expect(both).toThrow('"here" is one argument too many')
  },
)

const withRows = commands.filter(({ name, command }) => 'nl' in command.options && name !== 'shell')

const FORMS: Record<string, RegExp> = {
  '--json': /^\[\{[\s\S]*\}\]\n$/,
  '--format=json': /^\[\{[\s\S]*\}\]\n$/,
  '--nl': /^(\{.*\}\n)+$/,
  '--csv': /^\w+(,\w+)+\n/,
  '--tsv': /^\w+(\t\w+)+\n/,
  '--format=markdown': /^\| \w+ \|.*\n\| --- \|/,
  '-t': /^\w+.*\n---+/,
  '-r': /^.+\n/,
}

/** Prints the last example of a command in each of these formats. */
async function expectRows(
  { command }: (typeof commands)[number],
  forms: readonly (readonly [option: string, form: RegExp])[],
) {
  const line = command.examples.map(([line]) => line).at(-1)
  const words = typed(line?.replace(/ --(csv|nl|format (json|markdown))$/, '') ?? '')
  for (const [option, form] of forms) {
    const { code, stdout, stderr } = await run([...words, option], { env: there() })
    expect({ option, code, stderr }).toEqual({ option, code: 0, stderr: '' })
    expect(stdout, option).toMatch(form)
  }
}

const forms = Object.entries(FORMS)

describe.each(withRows.map((command, i) => ({ ...command, i })))(
  'marc $name',
  ({ i, ...command }) => {
    const [one, form] = forms[i % forms.length] as (typeof forms)[number]
    test(`writes its rows with ${one}`, () => expectRows(command, [[one, form]]))
    test('writes its rows in every other format', THOROUGH, () =>
      expectRows(
        command,
        forms.filter(([option]) => option !== one),
      ),
    )
  },
)
