/** Makes the sample archives again: `node samples/make-samples.ts [folder]`. */
import { createWriteStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeArchive } from '../src/archive/write-archive.ts'
import { compressBadly, makeBrokenTar } from './make/broken-archive.ts'
import { type Content, entriesOf } from './make/content.ts'
import { makeHello } from './make/hello.ts'
import { makeOrganization } from './make/organization.ts'

/** The samples by name, each the same every time it is made. */
export const SAMPLES: { readonly [name: string]: () => Content } = {
  hello: makeHello,
  organization: makeOrganization,
}

if (import.meta.main) {
  const folder = process.argv[2] ?? import.meta.dirname
  for (const [name, make] of Object.entries(SAMPLES)) {
    const archive = writeArchive(entriesOf(make()), { level: 9 })
    await pipeline(archive, createWriteStream(join(folder, `${name}.tar.gz`)))
  }
  writeFileSync(join(folder, 'broken.tar.gz'), compressBadly(await makeBrokenTar()))
}
