/** The script of every page: keys and times. Pages are complete without it. */
export const PAGE_SCRIPT = `'use strict'
for (const time of document.querySelectorAll('time[datetime]')) {
  const date = new Date(time.dateTime)
  if (!Number.isNaN(date.getTime())) time.title = date.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
}
const go = (selector) => {
  const link = document.querySelector(selector)
  if (link) location.href = link.href
}
const items = () => [...document.querySelectorAll('.items > li, .rows > li')]
let at = -1
const move = (step) => {
  const all = items()
  if (all.length === 0) return
  at = Math.min(all.length - 1, Math.max(0, at + step))
  const item = all[at]
  item.scrollIntoView({ block: 'nearest' })
  const link = item.querySelector('h2 a, h3 a, .at, a')
  if (link) link.focus({ preventScroll: true })
}
const tab = (end) => go('.tabs a[href' + (end === '' ? '' : '$="' + end + '"') + ']')
const places = { c: () => tab(''), i: () => tab('/issues'), p: () => tab('/pulls'), d: () => tab('/discussions') }
let isGoing = false
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return
  if (isGoing) {
    isGoing = false
    if (places[event.key]) places[event.key]()
    return
  }
  if (event.key === 'g') isGoing = true
  else if (event.key === 'j') move(1)
  else if (event.key === 'k') move(-1)
  else if (event.key === 'n') go('link[rel=next]')
  else if (event.key === 'p') go('link[rel=prev]')
  else if (event.key === '.') go('[data-raw]')
  else if (event.key === '/') {
    const search = document.querySelector('[data-search]')
    if (search) {
      event.preventDefault()
      search.focus()
    }
  }
})
addEventListener('beforeprint', () => {
  for (const one of document.querySelectorAll('details:not([open])')) one.open = true
})
`
