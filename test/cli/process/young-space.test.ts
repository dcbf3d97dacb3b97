import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

const MODULE = pathToFileURL(join(ROOT, 'src/cli/process/young-space.ts')).href
const MIB = 2 ** 20

/** Sizes of the young space in MiB: after a method was called, and after synchronous work that keeps 32 MiB. */
function sizesAfter(method: 'keep' | 'grow' | undefined): [before: number, after: number] {
  const script = `
    const { getHeapSpaceStatistics } = await import('node:v8')
    const { watchYoungSpace } = await import(${JSON.stringify(MODULE)})
    const young = watchYoungSpace(24)
    const size = () => getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size
    ${method === undefined ? '' : `young.${method}()`}
    const before = size()
    const alive = Array.from({ length: 8192 }, (_, i) => new Array(512).fill(i))
    console.log(JSON.stringify([before, size(), alive.length]))`
  const printed = outputOf(process.execPath, ['--input-type=module', '-e', script])
  const [before, after] = JSON.parse(printed.toString()) as [number, number]
  return [before / MIB, after / MIB]
}

describe('the space for young objects', () => {
  test('grows to 8 MiB at once, and no further during synchronous work', () => {
    expect(sizesAfter('grow')).toEqual([8, 8])
  })

  test('would grow further', THOROUGH, () => {
    const [, after] = sizesAfter(undefined)
    expect(after).toBeGreaterThan(8)
  })

  test('stays small if it is kept before it has grown', () => {
    const [, after] = sizesAfter('keep')
    expect(after).toBeLessThan(8)
  })
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
