import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Upload, uploadArchive } from '../../../src/client/import/upload-archive.ts'
import { openNotes } from '../../../src/client/import/upload-notes.ts'
import { openSession } from '../../../src/client/open-session.ts'
import { type ImportHost, ORGANIZATION, openImportHost } from '../../support/import-host.ts'
import { inFolder } from '../../support/run-command.ts'
import type { Reply } from '../../support/scripted-host.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const FILE = 'kettle.tar.gz'
const NOTES = `${FILE}.part.json`
const PART = 1000
/** Three parts and a half. */
const BYTES = randomBytes(3500)

let own: ImportHost
let notices: string[]

beforeEach(async () => {
  inFolder()
  writeFileSync(FILE, BYTES)
  own = await openImportHost()
  notices = []
})

/** Uploads as one process does. */
async function upload(more: Partial<Upload> = {}, signal?: AbortSignal): Promise<string> {
  const options = own.host.client({ notice: (text) => void notices.push(text), signal })
  const session = openSession(options, {})
  const organization = ORGANIZATION.databaseId
  const sha256 = createHash('sha256').update(readFileSync(FILE)).digest('hex')
  const notes = await openNotes(FILE, { server: own.host.url, organization, sha256 })
  try {
    const what = { path: FILE, bytes: BYTES.length, organization, partSize: PART, notes }
    return await uploadArchive(session, { ...what, ...more })
  } finally {
    notes.close()
  }
}

const methods = () => own.host.asked.map(({ method }) => method)
const whole = () => own.uploads.filter(({ isWhole }) => isWhole)
const bytesOf = (uri: string) =>
  Buffer.concat(own.uploads.find(({ guid }) => uri.endsWith(guid))?.parts ?? [])
const broken: Reply = (_request, response) => void response.destroy()

describe('An archive that is larger than a part', () => {
  everyDay(1)([
    ['relative', false],
    ['absolute', true],
  ])('follows locations that are %s and change', async (_, isAbsolute) => {
    own.isAbsolute = isAbsolute
    const uri = await upload()
    expect(uri).toBe(`gei://archive/${own.uploads[0]?.guid}`)
    expect(bytesOf(uri).equals(BYTES)).toBe(true)
    expect(own.uploads[0]?.parts.map(({ length }) => length)).toEqual([1000, 1000, 1000, 500])
    expect(methods()).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH', 'PUT'])
    const lengths = own.host.asked.map(({ headers }) => headers['content-length'])
    expect(lengths.slice(1)).toEqual(['1000', '1000', '1000', '500', '0'])
  })

  it('has the address of its first location if the end says none', THOROUGH, async () => {
    own.saysUri = false
    expect(await upload()).toBe(`gei://archive/${own.uploads[0]?.guid}`)
  })

  it('is refused if both addresses differ', async () => {
    own.host.script(`PUT ${new URL(uploadsUrl()).pathname}`, {
      status: 201,
      body: { uri: 'gei://archive/another' },
    })
    await expect(upload()).rejects.toMatchObject({
      code: 'server-failed',
      message: 'the server says two different addresses of one upload',
    })
  })

  it('sends a part again whose answer was lost, to the same location', THOROUGH, async () => {
    own.loses = (what, count) => what === 'part' && count === 2
    expect(bytesOf(await upload()).equals(BYTES)).toBe(true)
    const [, , second, third] = own.host.asked
    expect(third).toMatchObject({ path: second?.path, method: 'PATCH' })
    expect(own.host.waited).toContain(1000)
    expect(own.uploads).toHaveLength(1)
  })

  it('ends once if the answer to the end was lost', async () => {
    own.loses = (what, count) => what === 'end' && count === 1
    expect(bytesOf(await upload()).equals(BYTES)).toBe(true)
    expect(own.uploads).toHaveLength(1)
  })

  it('waits at limits, and goes on', THOROUGH, async () => {
    const limit: Reply = { status: 429, headers: { 'Retry-After': '30' } }
    own.host.script(`PATCH ${new URL(uploadsUrl()).pathname}`, limit, limit)
    await upload()
    expect(own.host.waited.filter((each) => each === 30_000)).toHaveLength(2)
    expect(own.uploads).toHaveLength(1)
  })

  everyDay(1)([400, 403, 404, 409, 410, 422])(
    'begins again after a part was refused with %i',
    async (status) => {
      own.host.script(`PATCH ${new URL(uploadsUrl()).pathname}`, { status })
      expect(bytesOf(await upload()).equals(BYTES)).toBe(true)
      expect(own.uploads).toHaveLength(2)
      expect(notices).toEqual([expect.stringMatching(/; the upload begins again$/)])
    },
  )

  it('is given up if no upload is ever continued', THOROUGH, async () => {
    const refusals = Array.from({ length: 9 }, (): Reply => ({ status: 409 }))
    own.host.script(`PATCH ${new URL(uploadsUrl()).pathname}`, ...refusals)
    await expect(upload()).rejects.toMatchObject({ code: 'request-refused' })
    expect(own.uploads).toHaveLength(4)
    expect(existsSync(NOTES)).toBe(false)
  })

  it.each([
    ['a host', 'https://elsewhere.example/organizations/7/gei/archive/blobs/uploads?guid=1'],
    ['a user', 'http://ada:secret@127.0.0.1/organizations/7'],
  ])('goes to no other place: %s', async (_, Location) => {
    own.host.script(`POST ${new URL(uploadsUrl()).pathname}`, {
      status: 202,
      headers: { Location },
    })
    await expect(upload()).rejects.toMatchObject({
      code: 'server-failed',
      message: expect.stringMatching(/^the server sends the upload to another host, /),
    })
    expect(methods()).toEqual(['POST'])
  })

  it('follows no redirect', async () => {
    const headers = { Location: 'https://elsewhere.example/' }
    own.host.script(`PATCH ${new URL(uploadsUrl()).pathname}`, { status: 307, headers })
    await expect(upload()).rejects.toMatchObject({ code: 'server-failed' })
    expect(methods()).toEqual(['POST', 'PATCH'])
  })
})

const uploadsUrl = () => `${own.host.url}/organizations/7/gei/archive/blobs/uploads`

describe('An archive that fits into a part', () => {
  it('goes in one request, with its name', async () => {
    const uri = await upload({ partSize: 5000 })
    expect(bytesOf(uri).equals(BYTES)).toBe(true)
    expect(own.host.asked).toMatchObject([
      { method: 'POST', path: '/organizations/7/gei/archive?name=kettle.tar.gz' },
    ])
  })

  it('is sent again if the connection breaks', async () => {
    own.host.script('POST /organizations/7/gei/archive', { status: 502 }, broken)
    expect(bytesOf(await upload({ partSize: 5000 })).equals(BYTES)).toBe(true)
  })
})

describe('The next process', () => {
  /** Ends the process at the nth request, before or after the server has taken it. */
  async function endAt(nth: number, isTaken: boolean): Promise<boolean> {
    const stop = new AbortController()
    const { answer } = own.host
    let count = 0
    own.host.answer = (asked) => {
      const reply = ++count < nth || isTaken ? answer?.(asked) : undefined
      if (count !== nth) return reply
      stop.abort()
      return (_request, response) => void response.destroy()
    }
    const ended = await upload({}, stop.signal).then(
      () => false,
      () => true,
    )
    own.host.answer = answer
    return ended
  }

  everyDay(1)(
    [1, 2, 3, 4, 5, 6].flatMap((nth): [number, string][] => [
      [nth, 'before'],
      [nth, 'after'],
    ]),
  )('goes on after an end at request %i, %s the server took it', async (nth, when) => {
    expect(await endAt(nth, when === 'after')).toBe(true)
    const before = methods().length
    const uri = await upload()
    expect(bytesOf(uri).equals(BYTES)).toBe(true)
    expect(whole()).toHaveLength(1)
    // Nothing is sent that the server had answered for.
    const sent = methods().slice(before)
    expect(sent).toEqual(['POST', 'PATCH', 'PATCH', 'PATCH', 'PATCH', 'PUT'].slice(nth - 1))
  })

  it('uploads nothing again if all is there', async () => {
    const uri = await upload()
    own.host.asked.length = 0
    expect(await upload()).toBe(uri)
    expect(own.host.asked).toEqual([])
  })

  it('keeps the size of parts that the upload began with', THOROUGH, async () => {
    await endAt(3, true)
    expect(bytesOf(await upload({ partSize: 300 })).equals(BYTES)).toBe(true)
    expect(own.uploads).toHaveLength(1)
  })

  everyDay(1)([
    ['another archive', () => writeFileSync(FILE, randomBytes(3500))],
    ['damaged notes', () => writeFileSync(NOTES, '{')],
    [
      'notes about another server',
      () => writeFileSync(NOTES, readFileSync(NOTES, 'utf8').replace('127.0.0.1', '127.0.0.2')),
    ],
  ])('begins again with %s', async (_, change) => {
    await endAt(4, true)
    change()
    expect(bytesOf(await upload()).equals(readFileSync(FILE))).toBe(true)
    expect(own.uploads).toHaveLength(2)
  })

  it('sends nothing to the place in notes that lead elsewhere', THOROUGH, async () => {
    await endAt(4, true)
    const elsewhere = readFileSync(NOTES, 'utf8').replace(
      /"location":"[^?]*/,
      '"location":"https://elsewhere.example/',
    )
    writeFileSync(NOTES, elsewhere)
    await expect(upload()).rejects.toMatchObject({ code: 'server-failed' })
  })

  it('waits for its turn: two at once are refused', async () => {
    const sha256 = createHash('sha256').update(BYTES).digest('hex')
    const notes = await openNotes(FILE, { server: own.host.url, organization: 7, sha256 })
    await expect(upload()).rejects.toMatchObject({ code: 'upload-busy' })
    notes.close()
    await upload()
  })
})

it('An archive that changes is not uploaded', async () => {
  own.host.script('POST /organizations/7/gei/archive', (request, response, host) => {
    writeFileSync(FILE, 'shorter')
    request.resume()
    const reply = host.answer?.(host.asked.at(-1) as never)
    if (typeof reply === 'object') response.writeHead(201).end(JSON.stringify(reply.body))
  })
  await expect(upload({ partSize: 5000 })).rejects.toMatchObject({ code: 'archive-changed' })
  await expect(upload({ bytes: 3500 })).rejects.toMatchObject({ code: 'archive-changed' })
})
