import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../src/cli/output/display-width.ts'
import { type ProgressOptions, showProgress } from '../../../src/cli/output/progress.ts'

const MIB = 1024 ** 2
const ERASE = '\r\x1b[2K'

describe('a progress bar', () => {
  test('shows share, sizes, rate and remaining time', () => {
    const { progress, written, wait } = start({ label: 'load', total: 98 * MIB })
    wait(2_000)
    progress.update(49 * MIB, () => 'issues_000001.json')
    expect(written).toEqual([
      `${ERASE}load ██████████░░░░░░░░░░ 50 % 49.0 MiB/98.0 MiB 25 MiB/s ETA 2 s issues_000001.json`,
    ])
  })

  test('shows the bytes done if the total is unknown', () => {
    const { progress, written, wait } = start({ label: 'load' })
    wait(1_000)
    progress.update(5 * MIB)
    expect(written).toEqual([`${ERASE}load 5.0 MiB 5.0 MiB/s`])
  })

  test('is drawn at most ten times a second', () => {
    const { progress, written, wait } = start({ label: 'load' })
    for (let count = 0; count < 1_000; count++) {
      progress.update(count)
      wait(1)
    }
    expect(written).toHaveLength(10)
  })

  test('leaves its room to the numbers in a narrow terminal', () => {
    const { progress, written } = start({ label: 'load', total: 2 }, { isTTY: true, columns: 40 })
    progress.update(1)
    expect(written).toEqual([`${ERASE}load 50 % 1 B/2 B`])
  })

  test('is cut to the terminal', () => {
    const { progress, written } = start({ label: 'load' }, { isTTY: true, columns: 20 })
    progress.update(1, () => '日本語'.repeat(20))
    expect(displayWidth((written[0] as string).replace(ERASE, ''))).toBeLessThanOrEqual(19)
  })

  test('shows control characters of a detail as escapes', () => {
    const { progress, written } = start({ label: 'load' })
    progress.update(1, () => '\x1b[2J')
    expect(written[0]).toBe(`${ERASE}load 1 B \\x1b[2J`)
  })

  test('never shows more than 100 %', () => {
    const { progress, written, wait } = start({ label: 'load', total: 10 })
    wait(1_000)
    progress.update(20)
    expect(written[0]).toContain(' 100 % 20 B/10 B 20 B/s ETA 0 s')
  })

  test('is erased at the end', () => {
    const { progress, written } = start({ label: 'load' })
    progress.update(1)
    progress.finish()
    progress.update(2)
    expect(written.slice(1)).toEqual([ERASE])
  })

  test('that was never drawn writes nothing', () => {
    const { progress, written } = start({ label: 'load' })
    progress.finish()
    expect(written).toEqual([])
  })

  test('is drawn again after a message', () => {
    const { progress, written, wait } = start({ label: 'load' })
    progress.update(1)
    progress.clear()
    wait(1_000)
    progress.update(2)
    expect(written.slice(1)).toEqual([ERASE, `${ERASE}load 2 B 2 B/s`])
  })
})

test('nothing is shown if stderr is not a terminal', () => {
  const { progress, written } = start({ label: 'load' }, { isTTY: false })
  progress.update(1)
  progress.finish()
  expect(written).toEqual([])
})

test('nothing is shown on a terminal in mode none', () => {
  const { progress, written } = start({ label: 'load', mode: 'none' })
  progress.update(1)
  expect(written).toEqual([])
})

test('lines are plain and come every five seconds', () => {
  const { progress, written, wait } = start({ label: 'load', total: 100, mode: 'lines' })
  for (let second = 0; second <= 10; second++) {
    progress.update(second)
    wait(1_000)
  }
  progress.finish()
  expect(written).toEqual([
    'load 5 % 5 B/100 B 1 B/s ETA 1 min 35 s\n',
    'load 10 % 10 B/100 B 1 B/s ETA 1 min 30 s\n',
  ])
})

function start(
  options: ProgressOptions,
  terminal: { isTTY: boolean; columns?: number } = { isTTY: true, columns: 120 },
) {
  const written: string[] = []
  let time = 0
  const stream = { ...terminal, write: (text: string) => written.push(text) }
  const progress = showProgress(stream, { ...options, now: () => time })
  const wait = (milliseconds: number) => {
    time += milliseconds
  }
  return { progress, written, wait }
}
