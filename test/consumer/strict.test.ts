import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../support/read-document.ts'
import { inFolder, ROOT } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

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

/** The programs in documents, by name. */
const inDocuments = globSync(['*.md', '{samples,src,test}/**/*.md'], { cwd: ROOT }).flatMap(
  (path) =>
    blocksOf(readFileSync(join(ROOT, path), 'utf8'))
      .filter(({ language }) => language === 'ts')
      .map(({ text, line }) => [`${path.replaceAll(/\W/g, '-')}-${line}.ts`, text] as const),
)

/** Packages of other people that documents use. */
const PACKAGES = ['isomorphic-git', '@octokit/rest']

const PROGRAMS = [
  'test/consumer/strict.ts',
  'samples/use-as-library.ts',
  'samples/build-archive.ts',
]

// The packed package is compiled against in .ci/run; this is the same without packing and installing.
test(
  'Programs in strict TypeScript and in documents compile against the declarations, with no types but those of Node.js',
  THOROUGH,
  () => {
    const folder = inFolder()
    const installed = join(folder, 'node_modules/migration-archive')
    // The sources themselves are checked by `npm run types`.
    const declarations = ['--emitDeclarationOnly', '--noCheck', '--outDir', join(installed, 'dist')]
    expect(tsc('-p', join(ROOT, 'src'), ...declarations)).toEqual({ status: 0, stdout: '' })
    writeFileSync(join(installed, 'package.json'), readFileSync(join(ROOT, 'package.json')))
    for (const name of ['@types/node', ...PACKAGES]) {
      mkdirSync(dirname(join('node_modules', name)), { recursive: true })
      symlinkSync(join(ROOT, 'node_modules', name), join('node_modules', name))
    }
    for (const name of ['tsconfig.json', 'package.json']) {
      writeFileSync(name, readFileSync(join(ROOT, 'test/consumer', `${name}.txt`)))
    }
    for (const [i, path] of PROGRAMS.entries()) writeFileSync(`program-${i}.ts`, asUser(path))
    for (const [name, text] of inDocuments) writeFileSync(name, text)
    expect(inDocuments.length).toBeGreaterThan(5)
    expect(tsc('-p', folder)).toEqual({ status: 0, stdout: '' })
  },
)
