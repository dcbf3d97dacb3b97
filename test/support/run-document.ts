/** Runs what a document shows, as a reader would, in a copy of the repository. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
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
const LEFT_OUT = ['.git', 'node_modules', 'dist', 'coverage', 'test', '.vitest']

// Commands that need the network, or take too long, are not run.
const NOT_RUN = /^\s*(?:git clone|cd|curl(?!.*127\.0\.0\.1)|wget|gh|npm)\b/

/** Where servers of documents listen; in a test any free port stands for it. */
const ADDRESS = 'http://127.0.0.1:8730'
const SERVES = /^(?:npx )?marc (serve .*) &$/

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
  close(): void
}

/** A copy of the repository where `marc` and `npx marc` are commands. */
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
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(preload, PRELOAD)
  const scripts = {
    marc: `exec '${process.execPath}' --import '${preload}' '${BINARY}' "$@"`,
    npx: `[ "$1" = marc ] && shift && exec marc "$@"; exec '${ROOT}/node_modules/.bin/'"$@"`,
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

  let server: ServerProcess | undefined

  const shell = async (shown: string): Promise<Shown> => {
    const served = SERVES.exec(shown.trim())?.[1]
    if (served !== undefined) {
      server?.child.kill()
      server = await startServer(folder, [...(splitWords(served) ?? []), '--port', '0'], env)
      return { code: 0, shown: `${ADDRESS}\n` }
    }
    const { url } = server ?? {}
    if (!url || !shown.includes(ADDRESS)) return runShell(shown)
    const outcome = await runShell(shown.replaceAll(ADDRESS, url))
    return { ...outcome, shown: outcome.shown.replaceAll(url, ADDRESS) }
  }

  const runShell = async (text: string) => {
    const words = splitWords(text.trim().replace(/^npx (?=marc )/, ''))
    if (words?.[0] === 'marc') return runWithin(folder, words.slice(1), env)
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
    close() {
      server?.child.kill()
      rmSync(outside, { recursive: true, force: true })
    },
  }
}

interface ServerProcess {
  child: ChildProcess
  url: string
}

/** Starts a server as a process, and waits until it says where it listens. */
async function startServer(
  folder: string,
  argv: string[],
  env: Record<string, string>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [BINARY, ...argv], {
    ...{ cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] },
  })
  const { stdout } = child as { stdout: Readable }
  const [line] = (await once(stdout.setEncoding('utf8'), 'data')) as [string]
  return { child, url: line.trim() }
}

/** Runs `marc` in a folder as the terminal would, but within this process. */
async function runWithin(folder: string, argv: string[], env: Record<string, string>) {
  const before = process.cwd()
  const pieces: Buffer[] = []
  process.chdir(folder)
  try {
    const code = await main(argv, {
      stdin: Object.assign(Readable.from([]), { isTTY: false }),
      stdout: Object.assign(collector(pieces).stream, { isTTY: true, columns: COLUMNS }),
      // A file, as with a process: documents show no progress.
      stderr: Object.assign(collector(pieces).stream, { isTTY: false }),
      openBrowser: async () => true,
      env,
    })
    return { code, shown: Buffer.concat(pieces).toString() }
  } finally {
    process.chdir(before)
  }
}

let programs = 0

/** Imports a program from a folder, which runs it, and collects what it logs. */
async function runProgram(folder: string, text: string): Promise<Shown> {
  const index = join(ROOT, 'src/index.ts')
  // A new name each time, because a module runs only once.
  const path = join(folder, `program-${++programs}.ts`)
  writeFileSync(path, text.replaceAll("'migration-archive'", JSON.stringify(index)))
  const before = process.cwd()
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((...values) => {
    lines.push(`${format(...values)}\n`)
  })
  process.chdir(folder)
  try {
    await import(path)
    return { code: 0, shown: lines.join('') }
  } finally {
    process.chdir(before)
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
