import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inFolder, ROOT } from '../support/run-command.ts'

const tsc = (...args: string[]) => {
  const program = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
  return { status, stdout }
}

/** A program that is in the repository, as one that has installed the package. */
const asUser = (path: string): string =>
  readFileSync(join(ROOT, path), 'utf8').replace(
    /'(?:\.\.\/)+src\/index\.ts'/,
    "'migration-archive'",
  )

// The packed package is compiled against in .ci/run; this is the same without packing and installing.
test('Programs in strict TypeScript compile against the declarations, with no types but those of Node.js', () => {
  const folder = inFolder()
  const installed = join(folder, 'node_modules/migration-archive')
  const declarations = ['--emitDeclarationOnly', '--outDir', join(installed, 'dist')]
  expect(tsc('-p', join(ROOT, 'src'), ...declarations)).toEqual({ status: 0, stdout: '' })
  writeFileSync(join(installed, 'package.json'), readFileSync(join(ROOT, 'package.json')))
  mkdirSync('node_modules/@types')
  symlinkSync(join(ROOT, 'node_modules/@types/node'), 'node_modules/@types/node')
  for (const name of ['tsconfig.json', 'package.json']) {
    writeFileSync(name, readFileSync(join(ROOT, 'test/consumer', `${name}.txt`)))
  }
  const programs = [
    'test/consumer/strict.ts',
    'samples/use-as-library.ts',
    'samples/build-archive.ts',
  ]
  for (const [i, path] of programs.entries()) writeFileSync(`program-${i}.ts`, asUser(path))
  expect(tsc('-p', folder)).toEqual({ status: 0, stdout: '' })
})
