/** Texts of software projects in which nothing is to be changed. */

import { expect, test } from 'vitest'
import { createDetector } from '../../../src/transform/redact/detect.ts'

const detect = createDetector({
  what: new Set(['emails', 'names', 'logins', 'ips', 'secrets']),
  keep: new Set(),
  names: ['Ada Lovelace'],
  logins: ['ada'],
})

const found = (text: string) =>
  detect(text)
    .filter(({ doubtful }) => !doubtful)
    .map(({ value }) => value)

test.each([
  'GET /api?token=undefined failed',
  'GET /api?token=null&password=required',
  '/login?password=optional&secret=true',
  '?access_token=string (see the documentation)',
  '?signature=[object+Object]',
  'https://user:password@host.example/path',
  'https://$USER:$PASSWORD@host.example/path',
  'netmask 255.255.255.0',
  'ifconfig eth0 netmask 255.255.240.0 up',
  'a mask of 255.0.0.0 or 255.255.255.252',
  'access-list 10 permit any 0.0.0.255',
  'listen on 0.0.0.0:8080 and 127.0.0.1',
  'broadcast 255.255.255.255',
  'join 224.0.0.1 and ff02::1, ask 169.254.169.254',
  'pin kettle@2.0.beta',
  'nameserver 8.8.8.8',
  'dig @1.1.1.1 example.org',
  'resolvers 9.9.9.9, 149.112.112.112 and 208.67.222.222',
  'nslookup kettle.example 2606:4700:4700::1111',
  'see 192.0.2.1 and 2001:db8::1 in the documentation',
  'follow @grace@social.example for news',
  'by @grace@social.example, @bob@chat.example',
  'git@github.com:owner/repo',
  'git clone git@gitlab.example:group/project.git',
  'ssh://git@host.example:2222/owner/repo.git',
  'release v1.2.3.4 is out',
  'kettle_1.2.3.4-1_amd64.deb and kettle_4.3.2.1_all.deb',
  'version 10.0.19041.1 of Windows',
  'Version=1.0.0.0, Culture=neutral, PublicKeyToken=b77a5c561934e089',
  'requires kettle==4.3.2.1 or kettle>=4.3.2.2',
  'icons/icon@2x.png and icons/icon@3x.png',
  'import { pour } from "@kettle/core"',
  'npm install kettle@1.2.3 @kettle/core@next',
  'uses: kettle/setup@v4',
  'user@sha256:9f2c41d0aa',
  '@media (min-width: 40em)',
  '@Override public void pour()',
  'std::vector<std::string> and Foo::Bar::baz',
  'at 12:30:45 and 00:1a:2b:3c:4d:5e',
  'sha512-3kU8T1C0bNnmCzG8k1vYkq3x9P7tZ2wQ==',
  'commit 4831b6e612e85101831e662a74e33955652290ce',
  'id 0b7e9d3c-51f2-4c8a-9e06-d3a4b5c6f7e8',
  'cache key node-modules-9f2c41d0aa3b',
  'cache_key-d41d8cd98f00b204e9800998ecf8427e',
  'the option --token-file and the variable GITHUB_TOKEN',
  'set Authorization: Bearer <token>',
  'curl -H "Authorization: Bearer $TOKEN"',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as workflows write it
  'Authorization: Bearer ${{ secrets.GITHUB_TOKEN }}',
  '[secret github-token 9f2c41d0]',
  'AKIAIOSFODNN7EXAMPLE is the key of the documentation',
  'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'sk_live_ and sk_test_ are prefixes of Stripe',
  'const sk_buff = alloc_skb(len)',
  'eyJhbGciOiJIUzI1NiJ9 is the head of a token',
  '"x" + "k3m7q2x9ab@redacted.invalid" + "y"',
  "const greeting = 'hello' + '@' + 'world'",
  'He said "a@b". "example.org" was next',
])('%s', (text) => {
  expect(found(text)).toEqual([])
})

/** Nobody can tell these from values that tell of somebody: the guide says so. */
test.each([
  ['an address of everybody', 'test@mail.example'],
  ['an address of a private network', '192.168.1.1:3000'],
  ['a section or an object identifier', 'see 4.3.2.1'],
  ['an example of a password', 'postgres://root:postgres@localhost/db'],
  ['an example of a parameter', '?token=abcdefgh'],
  ['a hash behind key-', 'key-d41d8cd98f00b204e9800998ecf8427e'],
])('%s is changed: %s', (_, text) => {
  expect(found(text)).toHaveLength(1)
})
