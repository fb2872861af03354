# The official image brings Node 24; the platform packages that carry it elsewhere are left out.
FROM node:24-slim AS build
WORKDIR /weir
COPY . .
# The builds are behind links.
RUN npm ci --include=dev && npm run build && mkdir built && cp -rL console/dist built/console && cp -rL server/dist built/server

FROM node:24-slim AS packages
WORKDIR /weir
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY console/package.json console/
COPY e2e/package.json e2e/
RUN npm ci --omit=dev --omit=optional --workspace=@weir/server --workspace=@weir/contract

FROM node:24-slim
ENV NODE_ENV=production DATA_DIR=/data
WORKDIR /weir
COPY --from=packages /weir/node_modules node_modules
COPY package.json LICENSE ./
COPY contract contract
COPY server server
COPY --from=build /weir/built/console console/dist
COPY --from=build /weir/built/server server/dist
RUN mkdir /data && chown node:node /data
# By number: Kubernetes checks that it is not root. Nothing outside of /data is written.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["sh", "server/start.sh"]
