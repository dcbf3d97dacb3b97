/**
 * An object store on loopback: fauxqs, which keeps objects in memory. It neither verifies signatures nor knows conditions
 * of a PUT, so both are judged in front of it, as Amazon's store judges them.
 */

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { StoreOptions } from '../../src/exporters/exporter.ts'

export interface S3Server {
  readonly credentials: StoreOptions & { endpoint: string }
  /** What was asked since the last call, such as `PUT /lake/a`. */
  asked(): string[]
  /** Decides what happens to requests: a status is the answer; the connection of those it throws for is cut. */
  intercept(handler: ((request: string) => number | undefined) | undefined): void
  /** Ignores conditions from now on, as some stores do. */
  ignoreConditions(): void
  close(): Promise<void>
}

/** TypeScript does not find its types where it is not installed. */
const PACKAGE = 'fauxqs'
const KEY = 'AKIAEXAMPLE'
const SECRET = 'very/secret+key'
const FORWARDED = /^(?:x-amz-.*|range|content-type)$/
const BUCKET = 'bucket'

/** Starts a store with the bucket `bucket`. */
export async function startS3(): Promise<S3Server> {
  const { startFauxqs } = (await import(PACKAGE)) as {
    startFauxqs(options: object): Promise<{ port: number; stop(): Promise<void> }>
  }
  const init = { buckets: [BUCKET] }
  const behind = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false, init })
  const inner = `http://127.0.0.1:${behind.port}`
  let asked: string[] = []
  let handler: ((request: string) => number | undefined) | undefined
  let conditional = true
  let turn: Promise<unknown> = Promise.resolve()

  const forward = async (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const headers = Object.entries(request.headers).filter(([name]) => FORWARDED.test(name))
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
    const answer = await fetch(`${inner}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(hasBody && { body: new Uint8Array(body) }),
    })
    const own = Object.fromEntries(answer.headers)
    delete own['transfer-encoding']
    delete own.connection
    response.writeHead(answer.status, own).end(Buffer.from(await answer.arrayBuffer()))
  }
  /** Whether the conditions of a PUT hold. */
  const holds = async ({ url, headers }: IncomingMessage): Promise<boolean> => {
    if (!conditional) return true
    if (headers['if-none-match'] === undefined && headers['if-match'] === undefined) return true
    const found = await fetch(`${inner}${url}`, { method: 'HEAD' })
    if (headers['if-none-match'] === '*') return found.status === 404
    return found.headers.get('etag') === headers['if-match']
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    // The client names its operation in each request.
    const line = `${request.method} ${request.url?.replace(/[?&]x-id=\w+/, '')}`
    asked.push(line)
    const body = await buffer(request)
    const status = handler?.(line)
    if (status !== undefined) return refuse(response, status, 'Intercepted', 'as the test says')
    if (!isSigned(request, body)) {
      return refuse(response, 403, 'SignatureDoesNotMatch', 'The request signature is wrong.')
    }
    if (request.method !== 'PUT') return forward(request, body, response)
    const put = turn.then(async () => {
      if (await holds(request)) await forward(request, body, response)
      else refuse(response, 412, 'PreconditionFailed', 'A condition did not hold.')
    })
    turn = put.catch(() => {})
    return put
  }
  const front = createServer((request, response) => {
    answer(request, response).catch(() => response.socket?.destroy())
  })
  const endpoint = await listen(front)
  return {
    credentials: { accessKeyId: KEY, secretAccessKey: SECRET, endpoint },
    asked() {
      const before = asked
      asked = []
      return before
    },
    intercept(next) {
      handler = next
    },
    ignoreConditions() {
      conditional = false
    },
    async close() {
      front.closeAllConnections()
      await new Promise((resolve) => front.close(resolve))
      await behind.stop()
    },
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function refuse(response: ServerResponse, status: number, code: string, message: string): void {
  const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(xml)
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Whether a request has a signature of version 4 with our key, and the body that was signed. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/
  const [, credential = '', signed = '', signature] =
    pattern.exec(headers.authorization ?? '') ?? []
  const [key, ...scope] = credential.split('/')
  const hash = String(headers['x-amz-content-sha256'])
  if (key !== KEY || (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body))) return false
  const { pathname, searchParams } = new URL(url, 'http://host')
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  const path = pathname.split('/').map((part) => encode(decodeURIComponent(part)))
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`)
  const canonical = [
    method,
    path.join('/'),
    query.sort().join('&'),
    ...signed.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed,
    hash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha256(canonical)]
  const signing = scope.reduce<Buffer | string>((last, part) => hmac(last, part), `AWS4${SECRET}`)
  return hmac(signing, text.join('\n')).toString('hex') === signature
}
