"""A mail server for tests: records the messages that it receives.

smtp_sink.py FOLDER [plain|starttls|tls] [CERTIFICATE KEY]

Prints its port. Each message becomes FOLDER/N.json with the envelope, the login of the sender, and whether the
connection was encrypted. Recipients that begin with `refused` are refused; `broken` breaks the connection after the data.
"""

import base64
import json
import os
import socket
import socketserver
import ssl
import sys

folder, how = sys.argv[1], sys.argv[2]
context = None
if how != "plain":
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])


class Session(socketserver.StreamRequestHandler):
    def setup(self):
        if how == "tls":
            self.request = context.wrap_socket(self.request, server_side=True)
        super().setup()
        self.is_encrypted = how == "tls"
        self.forget()
        self.login = None

    def forget(self):
        self.sender, self.recipients = None, []

    def say(self, text):
        self.wfile.write((text + "\r\n").encode())
        self.wfile.flush()

    def line(self):
        return self.rfile.readline().decode().rstrip("\r\n")

    def handle(self):
        self.say("220 sink")
        while True:
            line = self.line()
            word = line.upper().split(" ")[0]
            if not line or word == "QUIT":
                self.say("221 bye")
                return
            if word == "EHLO":
                offers = ["sink", "AUTH PLAIN LOGIN"]
                if how == "starttls" and not self.is_encrypted:
                    offers.append("STARTTLS")
                for offer in offers[:-1]:
                    self.say("250-" + offer)
                self.say("250 " + offers[-1])
            elif word == "STARTTLS":
                self.say("220 go ahead")
                self.request = context.wrap_socket(self.request, server_side=True)
                super().setup()
                self.is_encrypted = True
            elif word == "AUTH":
                _, user, password = base64.b64decode(line.split(" ")[2]).decode().split("\0")
                if password != "right-one":
                    self.say("535 5.7.8 wrong password " + password)
                else:
                    self.login = user
                    self.say("235 welcome")
            elif word == "MAIL":
                self.sender = line.split("<")[1].split(">")[0]
                self.say("250 ok")
            elif word == "RCPT":
                recipient = line.split("<")[1].split(">")[0]
                if recipient.startswith("refused"):
                    self.say("550 5.1.1 nobody of that name")
                else:
                    self.recipients.append(recipient)
                    self.say("250 ok")
            elif word == "DATA":
                self.say("354 go on")
                self.data()
            elif word == "RSET":
                self.forget()
                self.say("250 ok")
            else:
                self.say("500 what?")

    def data(self):
        lines = []
        while (line := self.line()) != ".":
            lines.append(line[1:] if line.startswith("..") else line)
        n = len(os.listdir(folder)) + 1
        told = {
            "sender": self.sender,
            "recipients": self.recipients,
            "data": "\n".join(lines),
            "login": self.login,
            "encrypted": self.is_encrypted,
        }
        with open(f"{folder}/.{n}", "w") as file:
            json.dump(told, file)
        os.rename(f"{folder}/.{n}", f"{folder}/{n}.json")
        if any(name.startswith("broken") for name in self.recipients):
            self.request.shutdown(socket.SHUT_RDWR)
        else:
            self.say("250 taken")
        self.forget()


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


with Server(("127.0.0.1", 0), Session) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
