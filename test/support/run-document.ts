/** Runs what a document shows, as a reader would, in a copy of the repository. */

import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { format } from 'node:util'
import { vi } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { BINARY, COMPILE_CACHE, collector, ROOT } from './run-command.ts'
import { splitWords } from './words-of.ts'

/** Columns of the terminal that documents show. */
export const COLUMNS = 100

// Made by tools, or not needed by documents.
const LEFT_OUT = ['.git', 'dist', 'coverage', 'test', '.vitest']

// Large, and only read.
const LINKED = ['node_modules', 'src']

// Commands that need the network, or take too long, are not run.
const NOT_RUN = /^\s*(?:git clone|cd|curl(?!.*127\.0\.0\.1)|wget|gh|npm)\b/

/** Where servers of documents listen; in a test any free port stands for it, and nobody watches their migrations. */
const ADDRESS = 'http://127.0.0.1:8730'
const SERVES = /^(?:npx )?marc (serve .*?)(?: --pace 0)? &$/
const SERVED = ['--port', '0', '--pace', '0']

/** A single command, and the file that its output goes to. */
const SINGLE = /^(?:npx )?(marc [^>]*?)(?: > ([\w.-]+))?$/

/** Makes the file that stands for the terminal a terminal. */
const PRELOAD = `
import { fstatSync, statSync } from 'node:fs'
const shown = statSync(process.env.SHOWN_IN, { throwIfNoEntry: false })
if (shown && fstatSync(1).ino === shown.ino) {
  Object.assign(process.stdout, { isTTY: true, columns: ${COLUMNS} })
}
`

/** The exit code and the output of a command. */
export interface Shown {
  code: number | null
  shown: string
}

export interface Workspace {
  folder: string
  /** Runs a line of shell; in this process if it is a single `marc` command, which is faster. */
  shell(text: string): Promise<Shown>
  /** Runs a program within this process. Throws as it does. */
  program(text: string): Promise<Shown>
  close(): Promise<void>
}

/** A copy of the repository where `marc` and `npx marc` are commands; the working folder until it is closed. */
export function openWorkspace(): Workspace {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'marc-docs-')))
  const folder = join(outside, 'repository')
  const commands = join(outside, 'bin')
  const shownIn = join(outside, 'shown.txt')
  const preload = join(outside, 'preload.mjs')
  mkdirSync(folder)
  mkdirSync(commands)
  for (const name of readdirSync(ROOT)) {
    if (LEFT_OUT.includes(name) || name.endsWith('.db')) continue
    if (LINKED.includes(name)) symlinkSync(join(ROOT, name), join(folder, name))
    else cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  writeFileSync(preload, PRELOAD)
  const scripts = {
    marc: `exec '${process.execPath}' --import '${preload}' '${BINARY}' "$@"`,
    npx: `[ "$1" = marc ] && shift && exec marc "$@"; exec '${ROOT}/node_modules/.bin/'"$@"`,
    // Documents wait for servers that take their time.
    sleep: `PATH='${process.env.PATH}' exec sleep 0.1`,
  }
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(commands, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(commands, name), 0o755)
  }
  const env = {
    ...COMPILE_CACHE,
    PATH: `${commands}:${process.env.PATH}`,
    HOME: outside,
    XDG_CACHE_HOME: join(outside, 'cache'),
    NO_COLOR: '1',
    SHOWN_IN: shownIn,
  }

  const before = process.cwd()
  process.chdir(folder)
  let server: Server | undefined

  const shell = async (shown: string): Promise<Shown> => {
    const served = SERVES.exec(shown.trim())?.[1]
    if (served !== undefined) {
      await server?.close()
      server = await startServer([...(splitWords(served) ?? []), ...SERVED], env)
      return { code: 0, shown: `${ADDRESS}\n` }
    }
    const { url } = server ?? {}
    if (!url || !shown.includes(ADDRESS)) return runShell(shown)
    const outcome = await runShell(shown.replaceAll(ADDRESS, url))
    return { ...outcome, shown: outcome.shown.replaceAll(url, ADDRESS) }
  }

  const runShell = async (text: string) => {
    const [, single = '', file] = SINGLE.exec(text.trim()) ?? []
    const [name, ...argv] = splitWords(single) ?? []
    if (name === 'marc') return runWithin(argv, env, file)
    const output = openSync(shownIn, 'w')
    const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', text], {
      cwd: folder,
      env,
      stdio: ['ignore', output, output],
    })
    const code = await new Promise<number | null>((done) => child.on('close', done))
    closeSync(output)
    return { code, shown: readFileSync(shownIn, 'utf8') }
  }
  return {
    folder,
    shell,
    program: (text) => runProgram(folder, text.replaceAll(ADDRESS, server?.url ?? ADDRESS)),
    async close() {
      await server?.close()
      process.chdir(before)
      rmSync(outside, { recursive: true, force: true })
    },
  }
}

interface Server {
  url: string
  close(): Promise<void>
}

/** Starts a server within this process, and waits until it says where it listens. */
async function startServer(argv: string[], env: Record<string, string>): Promise<Server> {
  const stopping = new AbortController()
  const listening = Promise.withResolvers<void>()
  const stdout = collector([], listening.resolve)
  const stderr = collector()
  const ended = main(argv, {
    ...ioWith(env),
    stdout: stdout.stream,
    stderr: stderr.stream,
    signal: stopping.signal,
  })
  await Promise.race([listening.promise, ended])
  if (stdout.text() === '') throw new Error(stderr.text())
  return {
    url: stdout.text().trim(),
    async close() {
      stopping.abort()
      await ended
    },
  }
}

const ioWith = (env: Record<string, string>) => ({
  stdin: Object.assign(Readable.from([]), { isTTY: false }),
  openBrowser: async () => true,
  env,
})

/** Runs `marc` as the terminal would, or with its output in a file, but within this process. */
async function runWithin(argv: string[], env: Record<string, string>, file?: string) {
  const pieces: Buffer[] = []
  const written = collector()
  const code = await main(argv, {
    ...ioWith(env),
    stdout:
      file === undefined
        ? Object.assign(collector(pieces).stream, { isTTY: true, columns: COLUMNS })
        : Object.assign(written.stream, { isTTY: false }),
    // A file, as with a process: documents show no progress.
    stderr: Object.assign(collector(pieces).stream, { isTTY: false }),
  })
  if (file !== undefined) writeFileSync(file, written.text())
  return { code, shown: Buffer.concat(pieces).toString() }
}

let programs = 0

/** Imports a program from a folder, which runs it, and collects what it logs. */
async function runProgram(folder: string, text: string): Promise<Shown> {
  const index = join(ROOT, 'src/index.ts')
  // A new name each time, because a module runs only once.
  const path = join(folder, `program-${++programs}.ts`)
  writeFileSync(path, text.replaceAll("'migration-archive'", JSON.stringify(index)))
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    lines.push(`${format(...values)}\n`)
  })
  try {
    await import(path)
    return { code: 0, shown: lines.join('') }
  } finally {
    log.mockRestore()
  }
}

/** The commands of a script that can be run here, and the scripts of package.json that it names. */
export function splitScript(text: string): { run: string; scripts: string[] } {
  const lines = text.split('\n').flatMap((line) => (NOT_RUN.test(line) ? line.split(' && ') : line))
  const named = lines.map((line) => /^\s*npm (?:run ([\w:-]+)|(test|start)\b)/.exec(line))
  return {
    run: lines.filter((line) => !NOT_RUN.test(line)).join('\n'),
    scripts: named.flatMap((found) => found?.[1] ?? found?.[2] ?? []),
  }
}
