import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type ImportHost, openImportHost } from '../../support/import-host.ts'
import { runs } from '../../support/property-runs.ts'
import { COMPILE_CACHE, inFolder } from '../../support/run-command.ts'
import { TOKEN } from '../../support/scripted-host.ts'
import { THOROUGH } from '../../support/thorough.ts'

const PROGRAM = join(import.meta.dirname, 'upload-in-process.ts')
const FILE = 'kettle.tar.gz'
const PART = 1000
/** All 200 take seven minutes. */
const KILLS = runs(200)

/** When a process is killed: as a request arrives, when the server has taken it, or when it has sent the answer. */
const MOMENTS = ['arrived', 'taken', 'answered'] as const

/** Uploads in a process of its own, which is killed at its nth request. Returns the address, if it lived. */
async function upload(
  { host }: ImportHost,
  nth: number,
  moment: (typeof MOMENTS)[number],
): Promise<string | undefined> {
  const argv = [PROGRAM, host.url, TOKEN, FILE, String(PART)]
  const child: ChildProcess = spawn(process.execPath, argv, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILE_CACHE },
  })
  const kill = () => void child.kill('SIGKILL')
  const { answer } = host
  let count = 0
  host.onRequest = (request) => {
    if (++count === nth && moment === 'arrived') kill()
    if (count === nth && moment === 'answered') request.socket.once('drain', kill)
  }
  host.answer = (asked) => {
    const reply = answer?.(asked)
    if (count !== nth || moment === 'arrived') return reply
    if (moment === 'taken') {
      kill()
      return (_request, response) => void response.destroy()
    }
    setImmediate(kill)
    return reply
  }
  let printed = ''
  child.stdout?.on('data', (piece) => {
    printed += piece
  })
  const code = await new Promise((done) => child.once('close', done))
  Object.assign(host, { answer, onRequest: undefined })
  return code === 0 ? printed : undefined
}

it(`goes on after ${KILLS} kills, and sends nothing twice`, {
  ...THOROUGH,
  timeout: 1_200_000,
}, async () => {
  inFolder()
  const own = await openImportHost()
  let kills = 0
  while (kills < KILLS) {
    const bytes = randomBytes(9 * PART + 300)
    writeFileSync(FILE, bytes)
    own.uploads.length = 0
    let uri: string | undefined
    while (uri === undefined) {
      // Every request of an upload, first or not of its process, at every moment.
      uri = await upload(own, 1 + (kills % 4), MOMENTS[kills % MOMENTS.length] as 'taken')
      kills += Number(uri === undefined)
    }
    const whole = own.uploads.filter(({ isWhole }) => isWhole)
    expect(whole.map(({ guid }) => `gei://archive/${guid}`)).toEqual([uri])
    expect(Buffer.concat(whole[0]?.parts ?? []).equals(bytes)).toBe(true)
    // Another upload begins only if a process was killed before it knew of the first.
    expect(own.uploads.filter(({ parts }) => parts.length > 0)).toHaveLength(1)
    expect(readdirSync('.').toSorted()).toEqual([FILE, `${FILE}.part.json`])
    rmSync(`${FILE}.part.json`)
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS)
})
