"""From bytes to bytes: endpoints, middleware, limits, errors, OpenAPI."""
