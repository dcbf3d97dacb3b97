import { type ChildProcess, spawn } from 'node:child_process'
import { env, kill, platform } from 'node:process'
import { pipeline } from 'node:stream/promises'
import { busy } from '../../http/http-error.ts'

/** Runs git for clients, a few at a time. */
export interface GitRunner {
  /** Whether there is a git program, which is searched for once. */
  isInstalled(): Promise<boolean>
  /**
   * Runs `git upload-pack` on a repository.
   *
   * @param request.input what the client sends; closed without it
   * @param request.isAdvertisement list refs and capabilities, and answer nothing else
   * @param request.isLasting answer over one connection, instead of request by request
   * @param request.protocol the header `Git-Protocol`
   * @param request.onGone calls a listener when the client has gone away
   * @returns the output; closing it ends the process
   * @throws `HttpError` 503 if too many are waiting; `GitFailure` if git fails and says nothing
   */
  run(folder: string, request: UploadPackRequest): AsyncGenerator<Uint8Array>
  /** Ends all processes. */
  close(): void
}

export interface UploadPackRequest {
  readonly input?: AsyncIterable<Uint8Array> | undefined
  readonly isAdvertisement: boolean
  /** The connection lasts: both sides speak in turn. */
  readonly isLasting?: boolean
  readonly protocol: string | null
  readonly onGone?: ((listener: () => void) => void) | undefined
}

/** Processes at a time, and requests that wait for one. */
const MOST_RUNNING = 8
const MOST_WAITING = 64

/** Bytes of address space of a process on Linux, in KiB: a hostile pack must not take all memory. */
const MOST_MEMORY = 4 * 2 ** 20

/** Seconds of processor time of a process on Linux: a clone of some GB takes a minute. */
const MOST_TIME = 1800

/** Ignore all settings of the machine and the user, and limit memory. */
const SETTINGS: Readonly<Record<string, string>> = {
  'uploadpack.allowFilter': 'true',
  'uploadpack.allowAnySHA1InWant': 'true',
  'transfer.hideRefs': 'refs/__gh__',
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.packedGitWindowSize': '32m',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '16m',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'safe.directory': '*',
  'gc.auto': '0',
}

/** The environment of git: the path of its own programs, and the version of the protocol. */
const environment = (protocol: string | null): NodeJS.ProcessEnv => ({
  ...(env.PATH !== undefined && { PATH: env.PATH }),
  ...(env.SystemRoot !== undefined && { SystemRoot: env.SystemRoot }),
  LC_ALL: 'C',
  HOME: NOWHERE,
  XDG_CONFIG_HOME: NOWHERE,
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  ...(/^version=[012]$/.test(protocol ?? '') && { GIT_PROTOCOL: protocol ?? '' }),
})

const NOWHERE = '/nonexistent'

/** Creates a runner. `program` is the name or path of git, `limit` the number of processes that run at a time. */
export function createGitRunner(program = 'git', limit = MOST_RUNNING): GitRunner {
  const places = createPlaces(limit)
  const running = new Set<ChildProcess>()
  let installed: Promise<boolean> | undefined

  const start = (args: readonly string[], protocol: string | null): ChildProcess => {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const command = [program, ...settings, ...args]
    // On Linux a shell limits memory and time before it becomes git. Elsewhere only the settings do.
    const limited = [
      '/bin/sh',
      '-c',
      `ulimit -v ${MOST_MEMORY}; ulimit -t ${MOST_TIME}; exec "$0" "$@"`,
      ...command,
    ]
    const [first = program, ...rest] = platform === 'linux' ? limited : command
    const child = spawn(first, rest, {
      env: environment(protocol),
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group, so that the programs that git starts end with it.
      detached: platform !== 'win32',
      windowsHide: true,
    })
    running.add(child)
    child.once('close', () => running.delete(child))
    child.on('error', () => running.delete(child))
    child.stdin?.on('error', () => {})
    return child
  }

  return {
    isInstalled() {
      installed ??= new Promise((resolve) => {
        const child = start(['--version'], null)
        child.stdin?.end()
        child.stdout?.resume()
        child.stderr?.resume()
        child.once('error', () => resolve(false))
        child.once('close', (code) => resolve(code === 0))
      })
      return installed
    },
    async *run(folder, { input, isAdvertisement, isLasting, protocol, onGone }) {
      let isGone = false
      let child: ChildProcess | undefined
      onGone?.(() => {
        isGone = true
        if (child) end(child)
      })
      const leave = await places.enter()
      try {
        if (isGone) return
        const advertise = isAdvertisement ? ['--advertise-refs'] : []
        const kind = isLasting ? [] : ['--stateless-rpc']
        child = start(['upload-pack', ...kind, '--strict', ...advertise, folder], protocol)
        yield* outputOf(child, input)
      } finally {
        if (child) end(child)
        leave()
      }
    },
    close() {
      for (const child of running) end(child)
    },
  }
}

async function* outputOf(
  child: ChildProcess,
  input: AsyncIterable<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  const { stdin, stdout, stderr } = child
  if (!stdin || !stdout || !stderr) return
  let said = ''
  stderr.on('data', (bytes: Buffer) => {
    if (said.length < MOST_SAID) said += bytes.toString('latin1')
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
  let fault: unknown
  if (input === undefined) stdin.end()
  else {
    void pipeline(input, stdin).catch((error: NodeJS.ErrnoException) => {
      // Git may stop reading before the client has sent everything.
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
      fault = error
      end(child)
    })
  }
  let isSilent = true
  for await (const bytes of stdout) {
    isSilent = false
    yield bytes
  }
  const code = await ended
  if (fault) throw fault
  if (code !== 0 && isSilent)
    throw new GitFailure(`git upload-pack ended with ${code}: ${said.trim()}`)
}

const MOST_SAID = 2_000

/** Git ended without an answer: the repository is damaged, or needs more memory or time than allowed. */
export class GitFailure extends Error {
  override readonly name = 'GitFailure'
}

/** Ends a process and all that it has started. */
function end(child: ChildProcess): void {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  try {
    if (platform === 'win32') child.kill()
    else kill(-child.pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Lets a few run at a time; others wait. */
function createPlaces(limit: number) {
  let taken = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }
  return {
    async enter(): Promise<() => void> {
      if (taken < limit) taken++
      else {
        if (waiting.length >= MOST_WAITING) throw busy(10)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      let hasLeft = false
      return () => {
        if (!hasLeft) leave()
        hasLeft = true
      }
    },
  }
}
