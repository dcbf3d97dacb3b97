import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { publicNames } from '../support/public-names.ts'
import { blocksOf } from '../support/read-document.ts'
import { inFolder, ROOT } from '../support/run-command.ts'
import { runProgram } from '../support/run-program.ts'
import { THOROUGH } from '../support/thorough.ts'

const tsc = (...args: string[]) => {
  const program = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = runProgram(process.execPath, [program, ...args])
  return { status, stdout: stdout.toString() }
}

/** A program that is in the repository, as one that has installed the package. */
const asUser = (path: string): string =>
  readFileSync(join(ROOT, path), 'utf8').replace(
    /'(?:\.\.\/)+src\/index\.ts'/g,
    "'migration-archive'",
  )

/** The programs in documents, by name. */
const inDocuments = globSync(['*.md', '{samples,src,test}/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).flatMap((path) =>
  blocksOf(readFileSync(join(ROOT, path), 'utf8'))
    .filter(({ language }) => language === 'ts')
    .map(({ text, line }) => [`${path.replaceAll(/\W/g, '-')}-${line}.ts`, text] as const),
)

/** The names that examples in docstrings use without declaring them. */
const GIVEN = `
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
declare const [database, before, after]: [Database, Database, Database]
declare const thread: Thread
declare const content: Bytes
declare const { users, organizations, repositories, issues }: Required<RecordSources>
declare const [token, password]: [string, string]
declare const hash: import('node:crypto').Hash
declare const paths: Map<string, number>
declare const states: Map<number, string>
declare const titles: (string | null)[]
declare const urls: unknown[]
declare const changes: [string, string | null][]
declare const show: (text: string) => void
let [schema, total] = ['', 0]
`

/** The examples in docstrings as a program: each in a function of its own. */
function examplesAsProgram(): string {
  const imports: string[] = []
  const functions = publicNames().flatMap(({ name, tags }) =>
    (tags.example ?? []).map((example) => {
      const lines = example.split('\n')
      imports.push(...lines.filter((line) => line.startsWith('import ')))
      const body = lines.filter((line) => !line.startsWith('import '))
      return `export async function exampleOf${name}() {\n${body.join('\n')}\n}`
    }),
  )
  const all = [GIVEN, ...imports, ...functions].join('\n')
  const used = publicNames().filter(({ name }) => new RegExp(`\\b${name}\\b`).test(all))
  const names = used.map(({ name, isType }) => (isType ? `type ${name}` : name))
  return `import { ${names.join(', ')} } from 'migration-archive'\n${all}`
}

/** Packages of other people that documents use. */
const PACKAGES = ['isomorphic-git', '@octokit/rest']

const PROGRAMS = [
  'test/consumer/strict.ts',
  'samples/use-as-library.ts',
  'samples/build-archive.ts',
]

// The packed package is compiled against in .ci/run; this is the same without packing and installing.
test('Programs in strict TypeScript, in documents and in docstrings compile against the declarations, with no types but those of Node.js', {
  ...THOROUGH,
  timeout: 120_000,
}, () => {
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
  writeFileSync('examples.ts', examplesAsProgram())
  expect(inDocuments.length).toBeGreaterThan(5)
  expect(tsc('-p', folder)).toEqual({ status: 0, stdout: '' })
})
