import { notFound } from '../../http/http-error.ts'
import type { Answer, Handler } from '../request-context.ts'
import { findOrganization, findPerson, inRepository } from './find-in-path.ts'

/** Facts that archives do not have, such as stars and followers. Their counts are 0, so that their lists are empty. */

const NOTHING: Answer = { status: 200, list: { total: 0, items: () => [] } }

const ofPerson: Handler = { find: (head) => void findPerson(head), answer: () => NOTHING }
const ofOrganization: Handler = {
  find: (head) => void findOrganization(head),
  answer: () => NOTHING,
}
const ofRepository: Handler = inRepository(() => NOTHING)
const ofCaller: Handler = () => NOTHING

export const followers = ofPerson
export const following = ofPerson
export const starred = ofPerson
export const watched = ofPerson
export const gists = ofPerson

export const followersOfCaller = ofCaller
export const followedByCaller = ofCaller
export const starredByCaller = ofCaller
export const watchedByCaller = ofCaller
export const gistsOfCaller = ofCaller
export const gistsStarredByCaller = ofCaller
export const notifications = ofCaller

export const publicMembers = ofOrganization

export const forks = ofRepository
export const stargazers = ofRepository
export const subscribers = ofRepository
export const deployments = ofRepository
export const downloads = ofRepository
export const repositoryNotifications = ofRepository
export const securityAdvisories = ofRepository

/** Whether the caller watches a repository: 404 is the host's word for no. */
export const subscription: Handler = inRepository(() => {
  throw notFound()
})
