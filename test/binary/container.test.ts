/** The commands that the file of the container documents, on a root such as it makes: its Node.js, the package, and no more. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWhere } from '../support/describe-where.ts'
import { makeBareRoot } from './bare-root.ts'

const BINARY = join(import.meta.dirname, 'marc')
const SAMPLE = join(import.meta.dirname, '../../samples/hello.tar.gz')
const CONTAINER = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8')
/** What `docker run … marc` is given, in the comment at the top. */
const COMMANDS = [...CONTAINER.matchAll(/^# +docker run .*? marc (.*)$/gm)].map(([, words = '']) =>
  words.split(' '),
)
const ENV = Object.fromEntries(
  [...(/^ENV (.*)$/m.exec(CONTAINER)?.[1] ?? '').matchAll(/(\S+?)=(\S+)/g)].map(
    ([, name, value]) => [name, value],
  ),
)
/** The user `node` of the image. */
const USER = 1000

const missing = !existsSync(BINARY)
  ? 'no executable here, which has the package; npm run binary'
  : getuid?.() !== 0
    ? 'only root may mount'
    : undefined

/** As `--read-only --tmpfs /tmp -v data:/data` and `USER` say; the arguments are the root, the data, the user, and a command. */
const RUN = `set -e
mount --bind "$1" "$1"
mount -o remount,ro,bind "$1"
mount -t tmpfs -o mode=1777 tmpfs "$1/tmp"
mount --bind "$2" "$1/data"
root=$1 user=$3; shift 3
exec unshare --root "$root" --wd /data --setgid "$user" --setuid "$user" /usr/local/bin/node /package/dist/bin.js "$@"`

describeWhere('On a bare root that is read-only', 'MARC_BINARY', missing, () => {
  let root: string
  const data = mkdtempSync(join(tmpdir(), 'data-'))
  const inContainer = (words: readonly string[]): [string, string[]] => [
    'unshare',
    ['-m', 'sh', '-c', RUN, 'sh', root, data, String(USER), ...words],
  ]

  beforeAll(() => {
    root = makeBareRoot(process.execPath, 'usr/local/bin/node', ['tmp', 'data', 'package'])
    // The executable unpacks the package with its dependencies.
    const cache = mkdtempSync(join(tmpdir(), 'cache-'))
    execFileSync(BINARY, ['--version'], { env: { HOME: cache, XDG_CACHE_HOME: cache } })
    const [unpacked = ''] = globSync(join(cache, 'migration-archive/programs/*'))
    cpSync(unpacked, join(root, 'package'), { recursive: true })
    execFileSync('chmod', ['-R', 'a+rX', join(root, 'package')])
    rmSync(cache, { recursive: true })
    copyFileSync(SAMPLE, join(data, 'archive.tar.gz'))
    chownSync(data, USER, USER)
  })
  afterAll(() => {
    for (const folder of [root, data]) rmSync(folder, { recursive: true, force: true })
  })

  test('the documented commands load an archive for a user without rights, and serve it', async () => {
    const [load = [], serve = []] = COMMANDS
    expect(COMMANDS.map(([name]) => name)).toEqual(['load', 'serve'])
    execFileSync(...inContainer(load), { env: ENV, stdio: 'pipe', cwd: '/' })
    expect(statSync(join(data, 'archive.db')).uid).toBe(USER)
    // In a container the address is its own. Here it would be that of the machine.
    const loopback = serve.map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word))
    const server = spawn(...inContainer([...loopback, '--port', '0']), { env: ENV, cwd: '/' })
    try {
      let address: string | undefined
      for await (const line of createInterface(server.stdout)) {
        address = /http:\/\/\S+?:\d+/.exec(line)?.[0]
        if (address) break
      }
      const page = await fetch(`${address}/`, { headers: { accept: 'text/html' } })
      expect([page.status, (await page.text()).includes('<title>')]).toEqual([200, true])
    } finally {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
  })
})
