// What the server is compared with: node:http that sends the same bytes with the same headers, or a file.
// node bare-server.ts <file with {"headers": …, "body": …}> <file to stream>
import { createReadStream, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [answer = '', archive = ''] = process.argv.slice(2)
const { headers, body } = JSON.parse(readFileSync(answer, 'utf8'))
const bytes = Buffer.from(body)

const server = createServer((request, response) => {
  if (request.url === '/archive') {
    response.writeHead(200, { 'Content-Length': statSync(archive).size })
    createReadStream(archive).pipe(response)
  } else if (request.headers['if-none-match'] !== undefined) {
    response.writeHead(304, headers).end()
  } else {
    response.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes)
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
