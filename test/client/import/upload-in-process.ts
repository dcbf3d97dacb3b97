/** Uploads an archive as a process of its own: the program that tests kill. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { uploadArchive } from '../../../src/client/import/upload-archive.ts'
import { openNotes } from '../../../src/client/import/upload-notes.ts'
import { openSession } from '../../../src/client/open-session.ts'

const [server = '', token = '', path = '', partSize = ''] = process.argv.slice(2)
const organization = 7
const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex')
// It waits a hundredth of the time.
const clock = {
  now: () => performance.now() * 100,
  random: () => 0.5,
  sleep: (milliseconds: number) =>
    new Promise<void>((resolve) => setTimeout(resolve, milliseconds / 100)),
}
const session = openSession({ server, token, clock }, {})
const notes = await openNotes(path, { server, organization, sha256 })
const { size: bytes } = await stat(path)
const upload = { path, bytes, organization, partSize: Number(partSize), notes }
process.stdout.write(await uploadArchive(session, upload))
notes.close()
