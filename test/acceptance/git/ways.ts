/** Ways for Git to reach the repositories of a database: over HTTP with and without git on the server, and marc::. */

import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../../../src')
/** Clock ticks of /proc in milliseconds. */
const TICK = 10

export interface Way {
  readonly name: string
  addressOf(repository: string): string
  /** Milliseconds of processor time that the other side has taken since it started. */
  cpu(): number
  /** The most MB of memory that the other side's own process had. */
  peak(): number
  close(): Promise<void>
}

export interface Ran {
  readonly code: number | null
  readonly output: string
  /** Milliseconds of processor time, of its children too. */
  readonly cpu: number
  readonly milliseconds: number
}

/** Runs programs as somebody without settings. Helpers are in `folder`. */
export class Shell {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  #count = 0

  constructor(folder: string) {
    this.folder = folder
    mkdirSync(join(folder, 'bin'), { recursive: true })
    this.env = {
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      LC_ALL: 'C',
      XDG_CACHE_HOME: join(folder, 'cache'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
    }
  }

  /** Runs a program for at most so many seconds. */
  run(program: string, args: readonly string[], seconds = 600): Promise<Ran> {
    const measured = join(this.folder, `time-${this.#count++}`)
    const start = performance.now()
    const child = spawn('/usr/bin/time', ['-q', '-f', '%U %S', '-o', measured, program, ...args], {
      env: this.env,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (bytes: Buffer) => {
        if (output.length < 100_000) output += bytes.toString()
      })
    }
    const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), seconds * 1000)
    return new Promise((resolve) => {
      child.on('close', (code) => {
        clearTimeout(late)
        resolve({
          code,
          output,
          milliseconds: performance.now() - start,
          cpu: sumOf(measured),
        })
      })
    })
  }

  folderOf(name: string): string {
    return join(this.folder, `${name}-${this.#count++}`)
  }
}

function sumOf(path: string): number {
  try {
    const [user = 0, system = 0] = readFileSync(path, 'utf8').trim().split(' ').map(Number)
    rmSync(path)
    return 1000 * (user + system)
  } catch {
    return Number.NaN
  }
}

/** A server in a process of its own; `plain` has no git. */
export async function serve(shell: Shell, database: string, kind: 'git' | 'plain'): Promise<Way> {
  const state = shell.folderOf(`state-${kind}`)
  const child = spawn(
    process.execPath,
    [join(SOURCE, 'bin.ts'), 'serve', database, '--port', '0', '--state', state, '--log', 'plain'],
    {
      env: { ...shell.env, ...(kind === 'plain' && { PATH: '/nowhere' }) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let messages = ''
  child.stderr.on('data', (bytes: Buffer) => {
    messages += bytes.toString()
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString().trim()))
    child.once('close', () => reject(new Error(messages)))
  })
  const { pid = 0 } = child
  return {
    name: kind === 'git' ? 'HTTP' : 'HTTP, plain files',
    addressOf: (repository) => `${url}/${repository}.git`,
    cpu: () => cpuOf(pid),
    peak: () => peakOf(pid),
    async close() {
      const ended = new Promise((resolve) => child.once('close', resolve))
      child.kill()
      await ended
      if (/ 500 /.test(messages)) throw new Error(`a fault of the server:\n${messages}`)
    },
  }
}

/** The remote helper, which says how much memory it took. */
export function helper(shell: Shell, database: string): Way {
  const measured = join(shell.folder, 'helper-memory')
  const path = join(shell.folder, 'bin/git-remote-marc')
  const node = `'${process.execPath}' '${join(SOURCE, 'git-remote-marc.ts')}'`
  writeFileSync(path, `#!/bin/sh\nexec /usr/bin/time -q -a -f %M -o '${measured}' ${node} "$@"\n`)
  chmodSync(path, 0o755)
  return {
    name: 'marc::',
    addressOf: (repository) => `marc::${database}#${repository}`,
    // Git waits for it: its time is the time of git.
    cpu: () => 0,
    peak() {
      const lines = readFileSync(measured, 'utf8').trim().split('\n').map(Number)
      return Math.max(...lines) / 1000
    },
    close: async () => {},
  }
}

/** The repositories as they are on the disk, which is what Git would clone without this project. */
export const disk = (folder: string): Way => ({
  name: 'file://',
  addressOf: (repository) => `file://${join(folder, 'repositories', repository)}.git`,
  cpu: () => 0,
  peak: () => 0,
  close: async () => {},
})

function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time, and those of children that have ended.
  return TICK * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
}

const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1000

export const isInstalled = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
