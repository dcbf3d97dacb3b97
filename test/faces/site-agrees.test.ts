import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteAddressOf } from '../../src/pages/site/site-address.ts'
import { writeSite } from '../../src/pages/site/write-site.ts'
import type { Library } from '../../src/reading/library.ts'
import { LISTS, type ListName, listThreads } from '../../src/reading/threads/list-threads.ts'
import { folderOf } from '../support/folder.ts'
import { worldRecords } from '../support/rest-world.ts'
import { THOROUGH } from '../support/thorough.ts'
import { htmlOf, sharePages } from '../support/web.ts'
import { oddRecords } from './odd-world.ts'

const served = sharePages([oddRecords(), worldRecords()])

/** What a page says, without what needs a server. */
const wordsOf = (html: string): string =>
  html
    .replace(/^.*<main[^>]*>|<\/main>.*$/gs, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(' Search what they wrote', '')
    .trim()

/** The addresses of all threads, and of the pages about labels, milestones and people. */
function addressesOf(library: Library): string[] {
  const ofRepositories = library.repositories().flatMap((repository) => {
    const base = `/${repository.owner}/${repository.name}`
    const threads = (Object.keys(LISTS) as ListName[]).flatMap((name) => {
      const { total, rows } = listThreads(library, repository, name)
      return rows(0, total).map(({ number }) => `${base}/${LISTS[name].part}/${number}`)
    })
    return [...threads, `${base}/labels`, `${base}/milestones`]
  })
  return [...ofRepositories, '/ada', '/forge', '/lamplighter%5Bbot%5D', '/-/people']
}

test('A static site says what the pages of a server say', THOROUGH, async () => {
  const addresses = addressesOf(served.pages.library)
  expect(addresses.length).toBeGreaterThan(50)
  const site = join(await folderOf(), 'site')
  await writeSite(served.paths, site, { search: false, files: false })
  const told = { site: [] as string[], server: [] as string[] }
  for (const address of addresses) {
    const rendered = await served.pages.render(address, new URLSearchParams())
    const file = siteAddressOf(address)?.file ?? ''
    told.server.push(`${address} ${wordsOf(htmlOf(rendered))}`)
    told.site.push(`${address} ${wordsOf(readFileSync(join(site, file), 'utf8'))}`)
  }
  expect(told.site).toEqual(told.server)
})
