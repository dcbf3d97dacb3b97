/**
 * Makes `marc` an executable of one file, for this machine: `npm run binary [-- <path>]`. It holds Node.js, the npm package and
 * the dependencies of `package-lock.json`. See `launch.ts` for what it does when it starts.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import { pack } from 'tar-stream'

const ROOT = join(import.meta.dirname, '../..')
const NODE = join(import.meta.dirname, 'node_modules/node/bin/node')
const output = resolve(process.argv[2] ?? join(import.meta.dirname, 'marc'))

/** Files by their paths in the executable, and where they are. */
function findFiles(): Map<string, string> {
  run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT)
  const [packed = ''] = globSync('*.tgz', { cwd: folder })
  run('tar', ['-xzf', packed], folder)
  const found = new Map(filesIn(join(folder, 'package')).map(({ path, file }) => [path, file]))
  for (const directory of dependencies()) {
    for (const { path, file } of filesIn(directory)) {
      found.set(join(relative(ROOT, directory), path), file)
    }
  }
  return found
}

/** The folders of the packages that users install, and of GraphQL, which the server answers with if it is there. */
function dependencies(): string[] {
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: ROOT,
    shell: process.platform === 'win32',
  })
  const [, ...folders] = listed.toString().trim().split('\n')
  return [...folders, join(ROOT, 'node_modules/graphql')]
}

const filesIn = (directory: string) =>
  globSync('**/*', { cwd: directory, withFileTypes: true, exclude: ['node_modules'] })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((file) => ({ path: relative(directory, file), file }))

/** Files that a program reads, and the licenses of those who wrote them. */
const NEEDED = /\.(?:[cm]?js|json|node|graphql|css|svg|sql)$|(?:^|\/)(?:LICEN[CS]E|NOTICE)[^/]*$/i

/** Native modules for other machines, sources of native modules, and declarations. */
const LEFT_OUT = /prebuilds\/|better-sqlite3\/(?:deps|src)\/|\.d\.[cm]?ts$/

/** A tar of the files, in the order of their names and without times: the same files give the same bytes. */
async function packFiles(): Promise<Buffer> {
  const own = `prebuilds/${process.platform}-${process.arch}.node`
  const isNeeded = (path: string) =>
    path.endsWith(own) || (NEEDED.test(path) && !LEFT_OUT.test(path))
  const tar = pack()
  const whole = buffer(tar)
  for (const [name, file] of [...findFiles()].sort()) {
    if (isNeeded(name)) tar.entry({ name, mtime: new Date(0) }, readFileSync(file))
  }
  tar.entry({ name: 'import-file.cjs', mtime: new Date(0) }, IMPORT_FILE)
  tar.finalize()
  return whole
}

const IMPORT_FILE = 'exports.importFile = (url) => import(url)\n'

function run(command: string, words: readonly string[], cwd: string): void {
  // On Windows npm is a script.
  const shell = process.platform === 'win32' && command === 'npm'
  execFileSync(command, words, { cwd, shell, stdio: ['ignore', 'ignore', 'inherit'] })
}

const folder = mkdtempSync(join(tmpdir(), 'marc-binary-'))
try {
  const archive = gzipSync(await packFiles(), { level: 9 })
  writeFileSync(join(folder, 'package.tar.gz'), archive)
  writeFileSync(join(folder, 'sha256'), createHash('sha256').update(archive).digest('hex'))
  buildSync({
    entryPoints: [join(import.meta.dirname, 'launch.ts')],
    outfile: join(folder, 'launch.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node26',
    // Packages in CommonJS ask for modules of Node.js.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)",
    },
    logLevel: 'error',
  })
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({
      main: 'launch.mjs',
      mainFormat: 'module',
      output,
      disableExperimentalSEAWarning: true,
      assets: { 'package.tar.gz': 'package.tar.gz', sha256: 'sha256' },
    }),
  )
  run(NODE, ['--build-sea', 'config.json'], folder)
  chmodSync(output, 0o755)
} finally {
  rmSync(folder, { recursive: true })
}
