import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGitRunner, type GitRunner } from '../../../src/rest/git/upload-pack.ts'
import { folderOf } from '../../support/folder.ts'
import { runProgram } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** A runner of a script in place of git. */
async function runnerOf(script: string, mostRunning?: number): Promise<GitRunner> {
  const path = join(await folderOf(), 'git')
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return createGitRunner(path, mostRunning)
}

const ASKED = { isAdvertisement: true, protocol: null }

async function outputOf(runner: GitRunner, protocol: string | null = null): Promise<string> {
  let text = ''
  for await (const bytes of runner.run('/folder', { ...ASKED, protocol })) {
    text += Buffer.from(bytes).toString()
  }
  return text
}

/** How many of these processes run; one that has ended may wait for its parent to hear of it. */
const countRunning = (processes: readonly number[]): number => {
  const { stdout } = runProgram('ps', ['-o', 'stat=', '-p', processes.join(',')])
  return stdout
    .toString()
    .split('\n')
    .filter((state) => /^[^Z]/.test(state)).length
}

test('git knows nothing of the settings and the environment of the server', async () => {
  process.env.GIT_SSH_COMMAND = 'evil'
  try {
    const found = await outputOf(
      await runnerOf('env; echo "$@"; ulimit -v; ulimit -t'),
      'version=2',
    )
    expect(found).not.toContain('GIT_SSH_COMMAND')
    expect(found).toContain('GIT_CONFIG_NOSYSTEM=1\n')
    expect(found).toContain('GIT_CONFIG_GLOBAL=/dev/null\n')
    expect(found).toContain('HOME=/nonexistent\n')
    expect(found).toContain('GIT_PROTOCOL=version=2\n')
    expect(found).toContain('core.hooksPath=/dev/null')
    expect(found).toContain('upload-pack --stateless-rpc --strict --advertise-refs /folder\n')
    if (process.platform === 'linux') expect(found).toContain('\n4194304\n1800\n')
  } finally {
    delete process.env.GIT_SSH_COMMAND
  }
})

test('a protocol that Git does not know is not passed on', THOROUGH, async () => {
  const found = await outputOf(await runnerOf('env'), 'version=2:x\nEVIL=1')
  expect(found).not.toMatch(/GIT_PROTOCOL|EVIL/)
})

test('the process and all that it started end when the client goes away', THOROUGH, async () => {
  const runner = await runnerOf('sleep 60 & echo $! $$; wait')
  let leave = () => {}
  const onGone = (listener: () => void) => {
    leave = listener
  }
  const output = runner.run('/folder', { ...ASKED, onGone })
  const { value } = await output.next()
  const processes = Buffer.from(value as Uint8Array)
    .toString()
    .trim()
    .split(' ')
    .map(Number)
  expect(countRunning(processes)).toBe(2)
  leave()
  expect((await output.next()).done).toBe(true)
  await expect.poll(() => countRunning(processes), { interval: 5 }).toBe(0)
})

async function expectOthersWait(most?: number): Promise<void> {
  const runner = await runnerOf('case "$*" in *--version) exit;; esac; echo x; exec sleep 60', most)
  const first = Array.from({ length: most ?? 8 }, () => runner.run('/folder', ASKED))
  await Promise.all(first.map((output) => output.next()))
  const next = runner.run('/folder', ASKED)
  let isIn = false
  const entering = next.next().then(() => {
    isIn = true
  })
  // In the time of another process the next one would have begun.
  expect(await runner.isInstalled()).toBe(true)
  expect(isIn).toBe(false)
  await first[0]?.return(undefined)
  await entering
  expect(isIn).toBe(true)
  runner.close()
  for (const output of [...first, next]) await output.return(undefined)
}

test('a few processes run at a time, and others wait for their turn', THOROUGH, () =>
  expectOthersWait(2),
)

test('eight processes run at a time unless another number is given', THOROUGH, () =>
  expectOthersWait(),
)

test('a program that fails or is missing is reported', THOROUGH, async () => {
  const failing = await runnerOf('echo broken >&2; exit 3')
  await expect(outputOf(failing)).rejects.toThrow('git upload-pack ended with 3: broken')
  expect(await failing.isInstalled()).toBe(false)
  expect(await createGitRunner('no-such-program').isInstalled()).toBe(false)
})
