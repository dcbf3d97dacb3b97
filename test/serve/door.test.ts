import { expect, test } from 'vitest'
import { describeWebRequest } from '../../src/http/describe-request.ts'
import { PAGES } from '../../src/pages/pages.ts'
import { createDoor } from '../../src/serve/door.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const PICTURE = { accept: 'image/avif,image/webp,*/*;q=0.8' }
const DATA = { accept: 'application/json' }
const ANY = { accept: '*/*' }
const CALLER = { ...ANY, authorization: 'token x' }

const door = createDoor(PAGES)
const facesOf = (path: string, headers: Record<string, string>, method = 'GET') => {
  const request = new Request(`http://localhost${path}`, { method, headers })
  return door.find(describeWebRequest(request)).flatMap((way) => way?.face ?? [])
}

test.each([
  // Both have an address: what is wanted more, and the interface on a tie.
  ['/', HTML, ['page', 'rest']],
  ['/', ANY, ['rest']],
  ['/', { accept: 'text/html, application/vnd.github+json' }, ['rest']],
  ['/', { accept: 'text/*' }, ['page', 'rest']],
  ['/forge/kettle/pull/2.diff', HTML, ['rest']],
  ['/forge/kettle/files/2/log.html', HTML, ['rest']],
  // The interface answers callers, and pages everybody else.
  ['/user-attachments/assets/a1', PICTURE, ['page']],
  ['/user-attachments/assets/a1', { ...HTML, ...CALLER }, ['rest']],
  // Only pages have it: whatever is accepted where it is no HTML, else if HTML is.
  ['/forge/kettle/pull/2/files', ANY, ['page']],
  ['/forge/kettle/raw/main/x', DATA, ['page']],
  ['/-/archives', DATA, ['page']],
  ['/forge/kettle', DATA, ['rest']],
  ['/forge/kettle', CALLER, ['page', 'rest']],
  ['/meta/kettle', HTML, ['page', 'rest']],
  ['/orgs/forge/people', ANY, ['page', 'rest']],
  // Words of endpoints are no owners.
  ['/repos/forge/kettle', HTML, ['rest']],
  ['/orgs/forge', HTML, ['rest']],
  ['/users/ada.git/info/refs', ANY, ['rest']],
  ['/ada/kettle.git/info/refs', HTML, ['git']],
  // No row has it.
  ['/a/b/c/d', HTML, ['page']],
  ['/a/b/c/d', CALLER, ['rest']],
  ['/emojis/b/c/d', ANY, ['rest']],
  ['/_nothing', HTML, ['rest']],
  ['/api/v3/forge/kettle', HTML, ['rest']],
])('%s with %j is answered by %j', (path, headers, faces) => {
  expect(facesOf(path, headers)).toEqual(faces)
})

test('Pages are not written', () => {
  expect(facesOf('/forge/kettle', HTML, 'POST')).toEqual(['rest'])
})

test('A path that an endpoint has with another method says which', () => {
  const request = new Request('http://localhost/orgs/forge/sso', { method: 'DELETE' })
  expect(door.find(describeWebRequest(request))).toEqual([
    { face: 'rest', route: { methods: ['GET', 'HEAD', 'POST'] } },
  ])
})

test('Without pages, all but Git is for the interface', () => {
  const way = createDoor(undefined).find(
    describeWebRequest(new Request('http://localhost/a/b/c', { headers: HTML })),
  )
  expect(way).toEqual([{ face: 'rest', route: { methods: [] } }])
})
