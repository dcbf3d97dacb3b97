import type { HandlerName } from '../../rest/endpoints.ts'
import type { Handler } from '../request-context.ts'
import * as feeds from './feeds.ts'
import { issueEvent, repositoryIssueEvents, threadIssueEvents } from './issue-events.ts'
import { issue, repositoryIssues, userIssues } from './issues.ts'
import { avatar, currentUser, organization, user } from './people.ts'
import { repository, userRepositories } from './repositories.ts'
import { index, rateLimit, ready } from './service.ts'

/** The function that answers each endpoint. An endpoint without one is not served. */
export const HANDLERS: Readonly<Partial<Record<HandlerName, Handler>>> = {
  index,
  rateLimit,
  ready,
  ...feeds,
  ...{ issueEvent, repositoryIssueEvents, threadIssueEvents },
  ...{ issue, repositoryIssues, userIssues },
  ...{ avatar, currentUser, organization, user },
  ...{ repository, userRepositories },
}
