/** The search of a site, opened from a disk. */

import { expect, test } from 'vitest'
import { describeInBrowser, shareServed } from './browser.ts'

const served = shareServed()
const TITLE = 'The bell rings twice'

describeInBrowser('A site on a disk', (open) => {
  test('is searched from any of its pages, without a request to anywhere else', async () => {
    const root = served.siteUrl
    const page = await open()
    const faults: string[] = []
    page.on('console', (message) => faults.push(message.text()))
    page.on('pageerror', (error) => faults.push(error.message))
    page.on('request', (request) => {
      if (!request.url().startsWith(root)) faults.push(request.url())
    })
    await page.goto(`${root}mona-lindqvist/tea-timer/issues.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('bell')
    await page.keyboard.press('Enter')
    const first = page.locator('.find li').first()
    expect(await first.innerText()).toContain(TITLE)
    expect(await first.locator('mark').allInnerTexts()).toEqual(['bell'])
    expect(page.url()).toBe(`${root}search.html?q=bell&repo=mona-lindqvist%2Ftea-timer`)
    expect(faults).toEqual([])
  })

  test('finds as people type, and leads to the thread', async () => {
    const page = await open()
    await page.goto(`${served.siteUrl}search.html`)

    await page.fill('.find input', 'xyzzy')
    await page.locator('[role=status]', { hasText: 'No text has all these words.' }).waitFor()
    await page.fill('.find input', 'is:merged author:ines-okafor')
    await page.locator('[role=status]', { hasText: /^2 results$/ }).waitFor()
    await page.fill('.find input', 'tea OR')
    await page.locator('[role=status]', { hasText: 'a word is missing after OR' }).waitFor()
    await page.fill('.find input', 'title:"rings twi"* -cold')
    await page.locator('[role=status]', { hasText: /^1 result$/ }).waitFor()
    expect(await page.locator('.find mark').allInnerTexts()).toEqual(['rings twice'])
    await page.fill('.find input', 'rings twi')
    await page.locator('.find li a', { hasText: TITLE }).click()
    expect(await page.title()).toContain(TITLE)
  })

  test('without JavaScript has lists by letter and year', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(`${served.siteUrl}search.html`)
    await page.getByRole('link', { name: /^T \d+$/ }).click()
    await page.getByRole('link', { name: TITLE }).click()
    expect(await page.title()).toContain(TITLE)
  })
})
