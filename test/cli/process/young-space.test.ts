import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

const MODULE = pathToFileURL(join(ROOT, 'src/cli/process/young-space.ts')).href
const MIB = 2 ** 20

/** Sizes of the young space in MiB: after lines of a script, and after synchronous work that keeps 32 MiB. */
function sizesAfter(lines: string): [before: number, after: number] {
  const script = `
    const { getHeapSpaceStatistics } = await import('node:v8')
    const { watchYoungSpace } = await import(${JSON.stringify(MODULE)})
    const young = watchYoungSpace(24)
    const size = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size
    let alive = []
    ${lines}
    const before = size()
    alive = Array.from({ length: 8192 }, (_, i) => new Array(512).fill(i))
    console.log(JSON.stringify([before, size(), alive.length]))`
  const printed = outputOf(process.execPath, ['--expose-gc', '--input-type=module', '-e', script])
  const [before, after] = JSON.parse(printed.toString()) as [number, number]
  return [before / MIB, after / MIB]
}

describe('the space for young objects', () => {
  test('grows to 8 MiB at once, and no further during synchronous work', () => {
    expect(sizesAfter('young.grow()')).toEqual([8, 8])
  })

  test('would grow further', THOROUGH, () => {
    const [, after] = sizesAfter('')
    expect(after).toBeGreaterThan(8)
  })

  test('stays small if it is kept before it has grown', () => {
    const [, after] = sizesAfter('young.keep()')
    expect(after).toBeLessThan(8)
  })

  const wait = 'await new Promise((resolve) => setTimeout(resolve, 600))'
  const shrink = `
    while (size() < 8 * 2 ** 20) alive.push(new Array(512).fill(0))
    ${wait}
    alive = []
    gc()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    gc()
    gc()`

  test(
    'stays small after V8 has shrunk it in idle time, until a timer has seen it',
    THOROUGH,
    () => {
      const [small, still] = sizesAfter(shrink)
      expect(small).toBeLessThan(8)
      expect(still).toBeLessThan(8)
      const [, again] = sizesAfter(`${shrink}; ${wait}`)
      expect(again).toBeGreaterThanOrEqual(8)
    },
  )
})

/** Whether V8 compiles a function by Maglev, after lines of a script. */
function usesMaglev(lines: string): boolean {
  const script = `${lines};
    const add = (left, right) => left + right;
    %PrepareFunctionForOptimization(add);
    add(1, 2);
    %OptimizeMaglevOnNextCall(add);
    add(1, 2);
    console.log(%ActiveTierIsMaglev(add));
    process.exit()`
  const options = ['--allow-natives-syntax', '--input-type=module', '-e', script]
  return outputOf(process.execPath, options).toString() === 'true\n'
}

test(
  'A server compiles nothing by Maglev, whose threads leave much memory behind',
  THOROUGH,
  () => {
    const program = pathToFileURL(join(ROOT, 'src/cli/command-program.ts')).href
    const io = `const { processIo } = await import(${JSON.stringify(program)});
    const io = processIo(new AbortController().signal)`
    expect(usesMaglev(io)).toBe(true)
    expect(usesMaglev(`${io}; io.compileInLessMemory()`)).toBe(false)
  },
)
