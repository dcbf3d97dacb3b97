/** People who read pages in their own way: without scripts, with large letters, on paper, with keys, in another zone. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { COLORFUL, TEA } from './addresses.ts'
import { describeInBrowser, shareServed } from './browser.ts'

const served = shareServed()
const at = (path: string) => served.origin + path

/** Pixels that a page is wider than its window. */
const overflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

const focused = (page: Page) =>
  page.evaluate<string>(
    'document.activeElement.getAttribute("href") ?? document.activeElement.name',
  )

describeInBrowser('A reader', (open) => {
  test('without JavaScript sees all items, menus and the search', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(at(`${TEA}/issues`))
    await page.click('summary:has-text("Label")')
    await page.click('.menu a:has-text("bug")')
    expect(await page.locator('.rows > li').allInnerTexts()).toEqual([
      expect.stringContaining('The bell rings twice'),
    ])
    await page.goto(at(`${TEA}/pull/5`))
    expect(await page.locator('.items > li').count()).toBeGreaterThan(5)
    await page.fill('[data-search]', 'bell')
    await page.click('.search button')
    await page.waitForSelector('.found')
    expect(await page.innerText('.found mark')).toMatch(/bell/i)
  })

  test.concurrent.each(COLORFUL)(
    'with letters twice as large reads %s without scrolling sideways',
    async (address) => {
      const page = await open({ viewport: { width: 1280, height: 900 } })
      await page.goto(at(address))
      const size = () =>
        page.evaluate<number>('parseFloat(getComputedStyle(document.body).fontSize)')
      const before = await size()
      await page.evaluate('document.documentElement.style.fontSize = "200%"')
      expect(await size()).toBe(2 * before)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      // A zoom of 200 %: half as much room.
      await page.setViewportSize({ width: 640, height: 450 })
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      await page.context().close()
    },
  )

  test('with colors of the system still sees states, labels and the current tab', async () => {
    const page = await open({ forcedColors: 'active' })
    await page.goto(at(`${TEA}/pull/5`))
    for (const selector of ['.state', '.label', '.counter', '.avatar', '.dot']) {
      const width = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('${selector}')).borderTopWidth`,
      )
      expect(width, selector).toBe('1px')
    }
    const tab = await page.evaluate<string[]>(
      `['.tabs a[aria-current]', '.tabs a:not([aria-current])'].map((one) => getComputedStyle(document.querySelector(one)).borderBottomColor)`,
    )
    expect(tab[0]).not.toBe(tab[1])
  })

  test('on paper has all that is folded, and the whole of a long page', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto(at('/harbour-lights/tidewatch/issues/7'))
    const pdf = await page.pdf({ format: 'A5' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(1)
    await page.goto(at(`${TEA}/pull/5`))
    await page.evaluate('for (const one of document.querySelectorAll("details")) one.open = false')
    await page.emulateMedia({ media: 'print' })
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('main details > :not(summary)')].map((one) => one.getBoundingClientRect().height)`,
    )
    expect(heights.length).toBeGreaterThan(1)
    expect(Math.min(...heights)).toBeGreaterThan(10)
    expect(await page.locator('.top, .tabs').locator('visible=true').count()).toBe(0)
  })

  test.each([
    `${TEA}/blob/main/src/timer.js`,
    `${TEA}/pull/5/files`,
    `${TEA}/blame/main/src/timer.js`,
    `${TEA}/issues/3`,
  ])('on narrow paper has the ends of all lines of code of %s', async (address) => {
    const page = await open({ viewport: { width: 320, height: 640 } })
    await page.goto(at(address))
    const over = () =>
      page.evaluate<number>(
        `Math.max(...[...document.querySelectorAll('.code td, .diff .t, .body pre')].map((one) => one.getBoundingClientRect().left + one.scrollWidth)) - innerWidth`,
      )
    await page.emulateMedia({ media: 'print' })
    expect(await over()).toBeLessThanOrEqual(0)
  })

  test('on paper has each row of a wide table as a list, and words of a narrow one whole', async () => {
    const page = await open({ viewport: { width: 718, height: 900 } })
    await page.emulateMedia({ media: 'print' })
    await page.goto(at('/-/schema/issues'))
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const columns = await page.evaluate<string[]>(
      `[...document.querySelector('.data.many tbody tr').cells].map((cell) => getComputedStyle(cell, '::before').content)`,
    )
    expect(columns.slice(0, 4)).toEqual(['"url"', '"repository"', '"user"', '"title"'])
    await page.goto(at('/-/questions/reviewers'))
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.data tr')].map((row) => row.getBoundingClientRect().height)`,
    )
    expect(Math.max(...heights)).toBeLessThan(70)
  })

  test('of dark pages has light ones on paper, labels too', async () => {
    const page = await open({ colorScheme: 'dark' })
    await page.goto(at(`${TEA}/pull/5`))
    const colors = () =>
      page.evaluate<string[]>(
        `['body', '.label', '.card'].flatMap((one) => {
          const { color, backgroundColor } = getComputedStyle(document.querySelector(one))
          return [color, backgroundColor]
        })`,
      )
    const dark = await colors()
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await colors()
    expect(light).not.toEqual(dark)
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    expect(await colors()).toEqual(light)
    await page.evaluate('document.documentElement.dataset.theme = "dark"')
    expect(await colors()).toEqual(light)
  })

  test('with keys alone comes first to the content, and sees where they are', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/issues`))
    const order: string[] = []
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      order.push(await focused(page))
      const [outline] = await page.evaluate<string[]>(
        '(({ outlineStyle }) => [outlineStyle])(getComputedStyle(document.activeElement))',
      )
      expect(outline, order.at(-1)).not.toBe('none')
    }
    expect(order.slice(0, 3)).toEqual(['#content', '/', ''])
    expect(order.slice(3)).toEqual(['q', '/', '/-/people', '/-/archives', '/-/questions'])
  })

  test('with keys alone comes to code that is wider than the screen, and scrolls it', async () => {
    const page = await open({ viewport: { width: 320, height: 640 } })
    await page.goto(at(`${TEA}/blob/main/src/timer.js`))
    await page
      .locator('.box > .scroll, .scroll')
      .first()
      .evaluate((code) => {
        // The last thing before it, from which one Tab leads on.
        const all = [
          ...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]'),
        ]
        ;(all[all.indexOf(code) - 1] as HTMLElement).focus()
      })
    await page.keyboard.press('Tab')
    const scrolled = () => page.evaluate<number>('document.activeElement.scrollLeft')
    expect(await page.evaluate('document.activeElement.className')).toContain('scroll')
    expect(await scrolled()).toBe(0)
    await page.keyboard.press('ArrowRight')
    await expect.poll(scrolled).toBeGreaterThan(0)
  })

  test('of a text from right to left reads its code from the left', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/issues/3`))
    await page.evaluate(`document.querySelector('.body').dir = 'rtl'`)
    const directions = await page.evaluate<string[]>(
      `['.body', '.body pre', '.body pre code'].map((one) => getComputedStyle(document.querySelector(one)).direction)`,
    )
    expect(directions).toEqual(['rtl', 'ltr', 'ltr'])
  })

  test('moves with j and k, to other parts with g, to the record and the search', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/issues`))
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(`${TEA}/issues/7`)
    await page.keyboard.press('k')
    expect(await focused(page)).toBe(`${TEA}/issues/10`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${TEA}/issues/10`)
    await page.keyboard.press('.')
    await page.waitForURL('**/-/raw?**')
    await page.goBack()
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.waitForURL(`**${TEA}/pulls`)
    await page.keyboard.press('/')
    await page.keyboard.type('jump')
    expect(await page.inputValue('[data-search]')).toBe('jump')
    expect(page.url()).toBe(at(`${TEA}/pulls`))
  })

  test('closes a menu with Escape, and is back at its name', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/issues`))
    await page.locator('.menu summary', { hasText: 'Label' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.locator('.menu[open]').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('.menu[open]').count()).toBe(0)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Label')
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(`${TEA}/issues/10`)
  })

  test('of a narrow screen opens every menu within it', async () => {
    const page = await open({ viewport: { width: 360, height: 640 } })
    await page.goto(at('/harbour-lights/tidewatch/issues?state=closed'))
    const menus = page.locator('.menu summary')
    expect(await menus.count()).toBe(5)
    for (const menu of await menus.all()) {
      await menu.click()
      expect(await page.locator('.menu[open]').count()).toBe(1)
      expect(await overflow(page)).toBeLessThanOrEqual(0)
      // An open one may stand above the next.
      await page.keyboard.press('Escape')
    }
  })

  test('switches keys of one letter off, on this page and the next', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/issues`))
    await page.locator('.foot button', { hasText: 'Keys: on' }).click()
    await page.reload()
    await page.keyboard.press('j')
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
    await page.locator('.foot button', { hasText: 'Keys: off' }).click()
    await page.keyboard.press('j')
    expect(await focused(page)).toBe(`${TEA}/issues/10`)
  })

  test('of a diff goes from file to file', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/commit/05f2fd2a0335cb6756071ec5d9e8c85e4856b52b`))
    const file = () => page.evaluate('document.activeElement.querySelector("h3")?.textContent')
    const files = await page.locator('.file-diff h3').allInnerTexts()
    expect(files.length).toBeGreaterThan(1)
    await page.keyboard.press(']')
    expect(await file()).toBe(files[0])
    await page.keyboard.press(']')
    expect(await file()).toBe(files[1])
    await page.keyboard.press('[')
    expect(await file()).toBe(files[0])
  })

  test('switches to dark and back, and finds it kept on the next page', async () => {
    const page = await open({ colorScheme: 'light' })
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await page.goto(at('/'))
    const light = await ground()
    const button = page.locator('.foot button', { hasText: 'Colors' })
    await button.click()
    expect(await ground()).toBe(light)
    await button.click()
    expect(await button.innerText()).toBe('Colors: dark')
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.goto(at(`${TEA}/issues`))
    expect(await ground()).toBe(dark)
    await button.click()
    expect(await ground()).toBe(light)
  })

  test('in another zone sees the time there beside each date', async () => {
    const page = await open({ timezoneId: 'Asia/Tokyo', locale: 'en-GB' })
    await page.goto(at(`${TEA}/pull/5`))
    const first = page.locator('.items time').first()
    expect(await first.getAttribute('title')).toMatch(/^\d+ \w+ 2024 at \d\d:\d\d/)
    const iso = (await first.getAttribute('datetime')) ?? ''
    const hours = new Date(new Date(iso).getTime() + 9 * 3_600_000).toISOString().slice(11, 16)
    expect(await first.getAttribute('title')).toContain(hours)
    expect(await first.getAttribute('title')).toContain('GMT+9')
  })

  test.each(['Asia/Tokyo', 'America/Los_Angeles'])(
    'in %s sees the date there',
    async (timezoneId) => {
      const page = await open({ timezoneId })
      await page.goto(at(`${TEA}/pull/5`))
      const dates = await page
        .locator('time:not(.run time)')
        .evaluateAll((times) =>
          times.map((time) => [time.getAttribute('datetime') ?? '', time.textContent ?? '']),
        )
      const there = new Intl.DateTimeFormat('en-GB', {
        timeZone: timezoneId,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      })
      expect(dates.map(([, text]) => text)).toEqual(
        dates.map(([time = '']) => there.format(new Date(time)).replace('Sept', 'Sep')),
      )
    },
  )

  test('of a run of events sees the hour there, and is led into it by an address', async () => {
    const page = await open({ timezoneId: 'Asia/Tokyo' })
    await page.goto(at(`${TEA}/pull/5`))
    const line = page.locator('.run li[id]').first()
    expect(await line.isVisible()).toBe(false)
    await page.goto(at(`${TEA}/pull/5#${await line.getAttribute('id')}`))
    expect(await line.isVisible()).toBe(true)
    const time = line.locator('time')
    const utc = new Date((await time.getAttribute('datetime')) ?? '')
    const there = new Date(utc.getTime() + 9 * 3_600_000).toISOString().slice(11, 16)
    expect(await time.textContent()).toBe(there)
  })

  test('of the last thirty days reads how long ago it was', async () => {
    const page = await open()
    const opened = new Date('2024-11-09T00:00:00Z')
    await page.clock.setFixedTime(new Date(opened.getTime() + 20 * 86_400_000))
    await page.goto(at(`${TEA}/pull/5`))
    const texts = await page.locator('.items time').allTextContents()
    expect(texts[0]).toMatch(/^\d+ days ago$/)
  })

  test('of code marks the lines that an address names', async () => {
    const page = await open()
    await page.goto(at(`${TEA}/blob/main/src/timer.js#L3-L5`))
    expect(await page.locator('.code tr.lit').count()).toBe(3)
    await page.click('#L8 th a')
    await page.click('#L10 th a', { modifiers: ['Shift'] })
    expect(new URL(page.url()).hash).toBe('#L8-L10')
    await expect.poll(() => page.locator('.code tr.lit').count()).toBe(3)
  })
})
