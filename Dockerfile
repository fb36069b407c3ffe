# One image for the commands of papertape that need no optional package; see docs/operations.md.
FROM node:20-bookworm AS build
WORKDIR /app
COPY . .
RUN npm ci && npm run sqlite && npm run build
# npm takes better-sqlite3 for a tool of the tests; here a state is kept with it.
RUN mkdir /kept && mv node_modules/better-sqlite3 node_modules/bindings node_modules/file-uri-to-path /kept \
  && npm prune --omit=dev && mv /kept/* node_modules

FROM node:20-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/bundle ./bundle
COPY --from=build /app/dist ./dist
COPY --from=build /app/strategies ./strategies
COPY --from=build /app/templates ./templates
COPY --from=build /app/data ./data
COPY --from=build /app/scripts/container.sh ./container.sh
# Where a state may be kept: --state /state/exchange.db, with a volume.
RUN mkdir /state && chown node:node /state
USER node
EXPOSE 8080
# Only an exchange answers here. Other commands are healthy while they run.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["sh", "-c", "! tr '\\0' ' ' </proc/1/cmdline | grep -q ' serve ' || exec node -e \"fetch('http://127.0.0.1:8080/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))\""]
# Addresses that container engines give to ports that they publish count as the proxy that encrypts; see "Open to a network".
ENV BEHIND_PROXY=172.16.0.0/12,10.88.0.0/16
ENTRYPOINT ["sh", "/app/container.sh"]
