"""What schemathesis finds and is no fault."""

import schemathesis

# What the connection takes of a request's line and headers, in bytes (src/server/listener.rs).
LARGEST_HEAD = 64 * 1024


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """A head that is larger is refused before anything of ours reads it, with a status and no sentence."""
    is_bare = response.status_code == 431 and not response.content
    return not (is_bare and len(response.request.url) > LARGEST_HEAD - 1024)
