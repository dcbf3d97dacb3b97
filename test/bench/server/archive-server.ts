// A host with one exported migration, whose archive is a file: node archive-server.ts <archive>
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [archive = ''] = process.argv.slice(2)
const migration = {
  id: 1,
  guid: '00000000-0000-4000-8000-000000000001',
  state: 'exported',
  lock_repositories: false,
  exclude_attachments: false,
  repositories: [],
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:10:00Z',
}

const server = createServer(({ url }, response) => {
  if (url === '/archive') {
    response.writeHead(200, { 'Content-Length': statSync(archive).size })
    createReadStream(archive, { highWaterMark: 2 ** 18 }).pipe(response)
  } else if (url === '/user/migrations/1/archive') {
    response.writeHead(302, { Location: '/archive' }).end()
  } else {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(migration))
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
