/**
 * What the executable starts with. The program is in it as one file, `package.tar.gz`: the npm package with its dependencies.
 * The first start unpacks it into a private folder of the user's cache; a native module and the threads and processes that
 * the program starts need files.
 */

import { existsSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { getAsset, getRawAsset } from 'node:sea'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { makeFolder, PRIVATE } from '../../src/files/make-folder.ts'
import { cacheFolder, makePrivateFolder } from '../../src/files/private-folder.ts'

const folder = await unpacked()
const program = basename(process.argv[1] ?? '') === 'git-remote-marc' ? 'git-remote-marc' : 'bin'
const child = join(folder, 'dist/work/serve.js')

// The program starts processes as `node <file> …`. Here it is this file that starts them.
if (process.argv[2] === child) process.argv.splice(1, 1)
else process.argv[1] = join(folder, `dist/${program}.js`)

// The import of an embedded module finds only modules of Node.js itself, that of a file any.
const { importFile } = createRequire(join(folder, 'package.json'))('./import-file.cjs')
await importFile(pathToFileURL(process.argv[1] as string).href)

/** The folder of the unpacked program. */
async function unpacked(): Promise<string> {
  const programs = makePrivateFolder('programs', process.env)
  if (programs === undefined) {
    process.stderr.write(
      `marc: the program cannot be unpacked below ${cacheFolder(process.env)}: nobody but you may write to that folder and those above it.\nName another one in XDG_CACHE_HOME.\n`,
    )
    process.exit(2)
  }
  const folder = join(realpathSync(programs), getAsset('sha256', 'utf8').slice(0, 32))
  if (existsSync(folder)) return folder
  const partial = `${folder}.${process.pid}`
  try {
    await unpack(partial)
    renameSync(partial, folder)
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    // Another start may have been faster.
    if (existsSync(folder)) return folder
    process.stderr.write(
      `marc: the program cannot be unpacked below ${programs}: ${(error as Error).message}.\nIt needs 40 MB there; name another folder in XDG_CACHE_HOME.\n`,
    )
    process.exit(5)
  }
  return folder
}

async function unpack(folder: string): Promise<void> {
  const bytes = Buffer.from(getRawAsset('package.tar.gz'))
  const entries = Readable.from([bytes]).pipe(createGunzip()).pipe(extract())
  for await (const entry of entries) {
    const content = await buffer(entry)
    const path = join(folder, entry.header.name)
    makeFolder(dirname(path), PRIVATE)
    writeFileSync(path, content, { mode: 0o600 })
  }
}
